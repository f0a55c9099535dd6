import { Link } from "@tanstack/react-router";
import { usePlatforms } from "@/api/queries/platforms";
import { usePosts } from "@/api/queries/posts";
import { useUsage } from "@/api/queries/workspace";
import { day, dayOf, zone } from "@/lib/time";
import { home } from "@/strings/home";
import { Page, Rows, Section, Skeleton } from "@/ui/page";
import { useAccountName } from "../accounts/names";
import { useNow } from "../calendar/now";
import { UsageMeters } from "../plan/meters";
import { PostRow } from "../posts/row";
import { Loaded } from "../problem";
import { useNeeds } from "../shell/needs";
import { FirstSteps } from "./first-steps";
import { Needs } from "./needs";

const MOST_TODAY = 20;

/** What goes out today, what needs a person, and how much of the plan is used; at first the way to the first post. */
export function Home() {
  const now = new Date(useNow());
  const platforms = usePlatforms();
  const any = usePosts({}, 1);
  const needs = useNeeds();
  const today = useToday(now);
  const isPending = any.isPending || needs.isPending || today.isPending;
  const isNew =
    platforms.isSuccess && any.isSuccess && (platforms.data.platforms.length === 0 || any.data.posts.length === 0);
  return (
    <Page title={home.title} intro={home.intro(day(now), zone())}>
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[1fr_18rem]">
        <div className="min-w-0">
          {isPending ? (
            // All at once: what comes first would be pushed down by what belongs above it.
            <Skeleton rows={6} />
          ) : isNew ? (
            <FirstSteps hasAccount={platforms.data.platforms.length > 0} />
          ) : (
            <>
              <Needs />
              <Today now={now} />
            </>
          )}
        </div>
        <Usage />
      </div>
    </Page>
  );
}

function useToday(now: Date) {
  const { start, end } = dayOf(now);
  return usePosts({ startDate: start, endDate: end, state: ["QUEUE", "PUBLISHED"] }, MOST_TODAY);
}

function Today({ now }: { now: Date }) {
  const posts = useToday(now);
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
