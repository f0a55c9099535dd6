/** Items that require action: accounts to connect again, posts to check. */
import { usePlatforms } from "@/api/queries/platforms";
import { useWaitingPosts } from "@/api/queries/posts";

/** These accounts and posts, as far as they have loaded. */
export function useNeeds() {
  const platforms = usePlatforms();
  const posts = useWaitingPosts();
  const accounts = platforms.data?.platforms.filter((platform) => platform.refreshNeeded && !platform.disabled) ?? [];
  const waiting = posts.data?.posts ?? [];
  return {
    accounts,
    posts: waiting,
    count: accounts.length + waiting.length,
    isKnown: platforms.data !== undefined && posts.data !== undefined,
  };
}
