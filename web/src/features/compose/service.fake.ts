/** A service for tests of the saver. */
import { ApiError, type Schemas } from "@/api/client";
import type { Calls } from "./saver-parts";

type Post = Schemas["Post"];

const AWAY = () => Promise.reject(new ApiError(0, "unreachable", "", null, null));

/** A service with posts by ID that counts its requests and can be unavailable. */
export function service() {
  const posts = new Map<string, Post>();
  const answered = new Map<string, Post>();
  const asked: string[] = [];
  const state = { version: 0, isAway: false, losesAnswers: false };
  const stored = (id: string, said: Partial<Post>): Post => {
    state.version += 1;
    const updatedAt = new Date(state.version * 1000).toISOString();
    const fresh = { integrationId: "a", state: "DRAFT", scheduledFor: null, mediaIds: [], settings: {} };
    const post = { id, ...fresh, ...posts.get(id), ...said, updatedAt };
    posts.set(id, post as Post);
    return post as Post;
  };
  const reply = async <T>(name: string, work: () => T): Promise<T> => {
    asked.push(name);
    if (state.isAway) return AWAY();
    const result = work();
    return state.losesAnswers ? AWAY() : result;
  };
  const get = (id: string) => {
    const root = posts.get(id);
    if (!root) throw new ApiError(404, "post_not_found", "", null, null);
    return { root, children: [] };
  };
  const calls: Calls = {
    create: ({ platformIds, content, mediaIds, settings }, once) =>
      reply("create", () => {
        const [platformId = ""] = platformIds;
        const said = {
          integrationId: platformId,
          content,
          mediaIds: mediaIds ?? [],
          settings: (settings ?? {}) as never,
        };
        const root = answered.get(once) ?? stored(`post-${posts.size + 1}`, said);
        answered.set(once, root);
        const created = { status: "created" as const, platformId, willPublishAt: null, warnings: [] };
        return { results: [{ ...created, post: { root, children: [] } }] };
      }),
    find: (id) => reply("find", () => ({ body: get(id), version: get(id).root.updatedAt })),
    update: (id, { content, mediaIds, settings }, version) =>
      reply("update", () => {
        if (get(id).root.updatedAt !== version) throw new ApiError(412, "precondition_failed", "", null, null);
        const said = { content: content ?? "", mediaIds: mediaIds ?? [], settings: (settings ?? {}) as never };
        return { root: stored(id, said), children: [] };
      }),
    remove: (id) =>
      reply("remove", () => {
        get(id);
        posts.delete(id);
      }),
  };
  return { posts, asked, state, calls, stored };
}
