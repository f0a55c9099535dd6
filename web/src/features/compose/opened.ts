/** Compositions from existing posts. */
import type { Schemas } from "@/api/client";
import { wallAt } from "@/lib/wall";
import { blank, type Composition, type Settings, savedPost, type When, withPost } from "./composition";
import { BRANDED, coversOf, OWN_BRAND, PRIVACY } from "./settings";

type Post = Schemas["Post"];

/** The schedule of a moment, in a time zone. */
export function scheduleAt(moment: string, zone: string): When {
  const [date = "", time = ""] = wallAt(Date.parse(moment), zone).split("T");
  return { mode: "schedule", date, time, second: false };
}

/** Replaces a composition's content with that of a post, for one account. */
export function adopted(doc: Composition, account: string, post: Post): Composition {
  const settings = post.settings as Settings;
  const isDisclosed = settings[BRANDED] === true || settings[OWN_BRAND] === true;
  const others = doc.disclosed.filter((id) => id !== account);
  const next = {
    ...doc,
    content: post.content,
    media: post.mediaIds,
    ...coversOf(post),
    accounts: doc.accounts.includes(account) ? doc.accounts : [...doc.accounts, account],
    settings: { ...doc.settings, [account]: settings },
    disclosed: isDisclosed ? [...others, account] : others,
  };
  const made = doc.posts[account]?.made ?? false;
  return withPost(next, account, savedPost(post, made));
}

/** A composition that continues a draft or a queued post. */
export function opened(key: string, post: Post, zone: string): Composition {
  const doc = adopted(blank(key), post.integrationId, post);
  return post.scheduledFor ? { ...doc, when: scheduleAt(post.scheduledFor, zone) } : doc;
}

/** A new composition with the content of a post; its privacy is not copied. */
export function copied(key: string, post: Post): Composition {
  const { [PRIVACY]: _, ...settings } = post.settings as Settings;
  const account = post.integrationId;
  return withPost(adopted(blank(key), account, { ...post, settings: settings as Post["settings"] }), account, null);
}
