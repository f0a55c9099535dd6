/** The posts that a batch left unchanged, each with the reason in a sentence. */
import type { Schemas } from "@/api/client";
import { postWords } from "@/strings/posts";
import { problems } from "@/strings/shell";
import { problemsOf } from "../compose/problems";

type Post = Schemas["Post"];

/** A post that a batch left unchanged, and why. */
export interface Stayed {
  post: Post;
  why: string;
}

/** The result for one post of a batch. */
type Result = { id: string; status: string; error?: Schemas["Error"] };

/** The posts that the results report as failed, and those that the batch did not reach. */
export function stayedOf(posts: readonly Post[], results: readonly Result[]): Stayed[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  return posts.flatMap((post) => {
    const result = byId.get(post.id);
    if (!result) return [{ post, why: postWords.refused.untried }];
    return result.error ? [{ post, why: whyRefused(result.error, post.id, post.mediaIds) }] : [];
  });
}

/** Why the service rejected the change of a post: without field names, and without advice for programs. */
export function whyRefused(error: Schemas["Error"], post: string, mediaIds: readonly string[] = []): string {
  const byCode: Record<string, string> = {
    post_not_found: postWords.refused.gone,
    post_not_reschedulable: postWords.refused.notQueued,
    request_timeout: postWords.refused.untried,
    internal_error: `${problems.internal_error.title}.`,
  };
  // A single file may be a picture or a video: the post does not contain which.
  const kind = mediaIds.length > 1 ? "image" : null;
  const texts = problemsOf({ account: post, error }, kind).map(({ text }) => text);
  return byCode[error.code] ?? [...new Set(texts)].join(" ");
}
