/** What needs a person: accounts to connect again, posts to look at. */
import { usePlatforms } from "@/api/queries/platforms";
import { type PostFilter, usePosts } from "@/api/queries/posts";

/** The states in which a post waits for a person. */
export const WAITING: PostFilter = { state: ["ACTION_REQUIRED", "ERROR"] };
/** How many are looked at; beyond it the number is told as that many and more. */
export const MOST = 100;

/** The accounts and posts, as far as they are known yet. */
export function useNeeds() {
  const platforms = usePlatforms();
  const posts = usePosts(WAITING, MOST);
  const accounts = platforms.data?.platforms.filter((platform) => platform.refreshNeeded && !platform.disabled) ?? [];
  const waiting = posts.data?.posts ?? [];
  return {
    accounts,
    posts: waiting,
    count: accounts.length + waiting.length,
    isKnown: platforms.isSuccess && posts.isSuccess,
    isPending: platforms.isPending || posts.isPending,
  };
}
