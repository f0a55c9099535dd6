import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { usePlatforms } from "@/api/queries/platforms";
import { useHasPosts, usePosts, useWaitingPosts } from "@/api/queries/posts";
import { useUsage } from "@/api/queries/workspace";
import { day, dayOf, zone } from "@/lib/time";
import { home } from "@/strings/home";
import { ErrorState, Page, Rows, Section, Skeleton } from "@/ui/page";
import { useAccountName } from "../accounts/names";
import { useNow } from "../calendar/now";
import { UsageMeters } from "../plan/meters";
import { PostRow } from "../posts/row";
import { Loaded, told } from "../problem";
import { FirstSteps } from "./first-steps";
import { Needs } from "./needs";

const MOST_TODAY = 20;

/** Today's posts, items that require action, and the plan's usage; for a new workspace, the first steps. */
export function Home() {
  const now = new Date(useNow());
  return (
    <Page title={home.title} intro={home.intro(day(now), zone())}>
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[1fr_18rem]">
        <div className="min-w-0">
          <Content now={now} />
        </div>
        <Usage />
      </div>
    </Page>
  );
}

/**
 * Rendered all at once, because parts that load early would be pushed down by those above them. The parts read the same
 * queries; they stay mounted while a query is refetched, because mounting would refetch it again.
 */
function Content({ now }: { now: Date }) {
  const platforms = usePlatforms();
  const waiting = useWaitingPosts();
  const hasPosts = useHasPosts();
  const today = useToday(now);
  const failed = [platforms, waiting, hasPosts].find(({ isError, data }) => isError && data === undefined);
  if (failed) return <ErrorState {...told(failed.error)} onRetry={() => void failed.refetch()} />;
  const isThere = waiting.data !== undefined && (today.data !== undefined || today.isError);
  if (!isThere || platforms.data === undefined || hasPosts.data === undefined) return <Skeleton rows={6} />;
  const hasAccount = platforms.data.platforms.length > 0;
  if (!hasAccount || !hasPosts.data) return <FirstSteps hasAccount={hasAccount} />;
  return (
    <>
      <Needs />
      <Today posts={today} />
    </>
  );
}

type Posts = ReturnType<typeof usePosts> extends UseQueryResult<infer T> ? UseQueryResult<T> : never;

function useToday(now: Date): Posts {
  const { start, end } = dayOf(now);
  return usePosts({ startDate: start, endDate: end, state: ["QUEUE", "PUBLISHED"] }, MOST_TODAY);
}

function Today({ posts }: { posts: Posts }) {
  const nameOf = useAccountName();
  const all = (
    <Link to="/posts" className="text-accent underline-offset-4 hover:underline">
      {home.allPosts}
    </Link>
  );
  return (
    <Section title={home.today} actions={all}>
      <Loaded query={posts} rows={3}>
        {({ posts, nextCursor }) =>
          posts.length === 0 ? (
            <p className="text-soft">{home.nothingToday}</p>
          ) : (
            <>
              <Rows label={home.today}>
                {posts.map((post) => (
                  <PostRow key={post.id} post={post} account={nameOf(post.integrationId)} />
                ))}
              </Rows>
              {nextCursor && (
                <p className="mt-3">
                  <Link
                    to="/calendar"
                    search={{ view: "day" }}
                    className="text-accent underline-offset-4 hover:underline"
                  >
                    {home.wholeDay}
                  </Link>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function Usage() {
  const usage = useUsage();
  return (
    <div>
      <Section title={home.usage}>
        <Loaded query={usage} rows={3}>
          {(usage) => <UsageMeters usage={usage} />}
        </Loaded>
      </Section>
    </div>
  );
}
