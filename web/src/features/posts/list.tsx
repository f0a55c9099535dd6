import { Link } from "@tanstack/react-router";
import { Download, SquarePlay } from "lucide-react";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { fetchAllPosts, type PostFilter, usePostPages } from "@/api/queries/posts";
import { csv } from "@/lib/csv";
import { saveText } from "@/lib/save";
import { zone } from "@/lib/time";
import { postWords } from "@/strings/posts";
import { Button, buttonClass } from "@/ui/button";
import { EmptyState, ErrorState, Page, Skeleton } from "@/ui/page";
import { toast } from "@/ui/toasts";
import { useAccountName } from "../accounts/names";
import { tellFailure, told } from "../problem";
import { FilterBar, type PostSearch, toFilter } from "./filter";
import { LastMove } from "./last-move";
import { SelectionBar } from "./selection";
import { PostTable } from "./table";

/** All posts of the workspace: search, filters, and batch actions. */
export function PostList({ search, onSearch }: { search: PostSearch; onSearch: (search: PostSearch) => void }) {
  // The time is fixed while the page is open; otherwise every render would be another query.
  const [now] = useState(() => new Date());
  const filter = toFilter(search, now);
  const pages = usePostPages(filter);
  const nameOfAccount = useAccountName();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const posts = pages.data?.pages.flatMap((page) => page.posts) ?? [];
  const selected = posts.filter(({ id }) => chosen.has(id));
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Page
      title={postWords.title}
      intro={postWords.intro(zone())}
      actions={
        <>
          <ExportButton filter={filter} nameOf={nameOfAccount} />
          {(posts.length > 0 || isFiltered) && (
            <Link to="/compose" className={buttonClass("primary")}>
              {postWords.newPost}
            </Link>
          )}
        </>
      }
    >
      <FilterBar search={search} onChange={onSearch} />
      <LastMove />
      {pages.isPending && <Skeleton rows={8} />}
      {pages.isError && !pages.data && <ErrorState {...told(pages.error)} onRetry={() => void pages.refetch()} />}
      {pages.data && posts.length === 0 && (isFiltered ? <NoMatch onClear={() => onSearch({})} /> : <NoPosts />)}
      {posts.length > 0 && (
        <div className={pages.isPlaceholderData ? "opacity-60 transition-opacity" : "transition-opacity"}>
          <PostTable posts={posts} nameOfAccount={nameOfAccount} chosen={chosen} onChoose={setChosen} />
        </div>
      )}
      {pages.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {postWords.more}
          </Button>
        </div>
      )}
      <SelectionBar posts={selected} onDone={() => setChosen(new Set())} />
    </Page>
  );
}

function NoPosts() {
  return (
    <EmptyState
      icon={SquarePlay}
      title={postWords.emptyTitle}
      action={
        <Link to="/compose" className={buttonClass("primary")}>
          {postWords.newPost}
        </Link>
      }
    >
      {postWords.emptyText}
    </EmptyState>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={SquarePlay}
      title={postWords.nothingTitle}
      action={<Button onClick={onClear}>{postWords.clear}</Button>}
    >
      {postWords.nothingText}
    </EmptyState>
  );
}

/** Writes every post of the filter into a file. */
function ExportButton({ filter, nameOf }: { filter: PostFilter; nameOf: (id: string) => string }) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      const posts = await fetchAllPosts(filter);
      const rows = posts.map((post) => toRow(post, nameOf(post.integrationId)));
      // The byte order mark makes spreadsheets read it as UTF-8.
      saveText(`\ufeff${csv(postWords.csvHead, rows)}`, "posts.csv", "text/csv");
      toast(postWords.exported(posts.length));
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button busy={busy} onClick={() => void run()}>
      <Download aria-hidden className="size-4" />
      {postWords.export}
    </Button>
  );
}

const toRow = (post: Schemas["Post"], account: string): string[] => [
  post.id,
  post.state,
  account,
  post.scheduledFor ?? "",
  post.createdAt,
  post.releaseUrl ?? "",
  post.content,
  post.errorText ?? "",
];
