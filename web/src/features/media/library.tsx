import { FolderPlus, Images } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { Schemas } from "@/api/client";
import { useFolders, useMediaPages } from "@/api/queries/media";
import { mediaWords } from "@/strings/media";
import { Button } from "@/ui/button";
import { SmallSelect } from "@/ui/field";
import { EmptyState, ErrorState, Page } from "@/ui/page";
import { told } from "../problem";
import type { Found } from "../uploads/files";
import { DropCurtain, useIncomingFiles } from "../uploads/incoming";
import { UploadMenu } from "../uploads/pick";
import { startUploads } from "../uploads/start";
import { FolderDialog } from "./folder-dialogs";
import { FolderList } from "./folders";
import { MediaGrid, TileSkeleton } from "./grid";
import { folderOf, type MediaSearch, readSearch, toFilter } from "./search";
import { SelectionBar } from "./selection";
import { useMove } from "./use-move";
import { Viewer } from "./viewer";

type Media = Schemas["Media"];

interface Props {
  search: MediaSearch;
  onSearch: (search: MediaSearch) => void;
}

/** The library: the workspace's files by folder, with upload and download. */
export function Library({ search, onSearch }: Props) {
  const pages = useMediaPages(toFilter(search));
  const media = pages.data?.pages.flatMap((page) => page.media) ?? [];
  const [creating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const folder = useFolders().data?.folders.find(({ id }) => id === search.folder);
  const move = useMove();
  const target = folderOf(search);
  // Selected files are always visible.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins with nothing chosen.
  useEffect(() => setChosen(new Set()), [search.folder, search.kind]);
  const bring = useCallback((found: Found[]) => void startUploads(found, { folderId: target }), [target]);
  const isOver = useIncomingFiles(bring);
  const actions = (
    <>
      <Button onClick={() => setCreating(true)}>
        <FolderPlus aria-hidden className="size-4" />
        {mediaWords.newFolder}
      </Button>
      <UploadMenu onFiles={bring} />
    </>
  );
  return (
    <Page title={mediaWords.title} actions={actions} wide>
      <div className="grid gap-x-10 gap-y-5 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <FolderList
          search={search}
          onDropMedia={(ids, folderId) =>
            void move(
              media.filter(({ id }) => ids.includes(id)),
              folderId,
            )
          }
        />
        <div className="min-w-0">
          <SelectionBar media={inOrder(media, chosen)} onDone={() => setChosen(new Set())}>
            <Kinds search={search} onSearch={onSearch} heading={folder?.name ?? headingOf(search)} />
          </SelectionBar>
          {pages.isPending && <TileSkeleton />}
          {pages.isError && !pages.data && <ErrorState {...told(pages.error)} onRetry={() => void pages.refetch()} />}
          {pages.data && media.length === 0 && <Nothing search={search} onSearch={onSearch} onFiles={bring} />}
          {media.length > 0 && (
            <div className={`transition-opacity ${pages.isPlaceholderData ? "opacity-60" : ""}`}>
              <MediaGrid media={media} search={search} chosen={chosen} onChoose={setChosen} />
            </div>
          )}
          {pages.hasNextPage && (
            <div className="mt-8 flex justify-center">
              <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                {mediaWords.more}
              </Button>
            </div>
          )}
        </div>
      </div>
      <FolderDialog open={creating} folder={null} onClose={() => setCreating(false)} />
      <Viewer media={media} search={search} onSearch={onSearch} />
      {isOver && <DropCurtain text={mediaWords.drop(folder?.name ?? null)} />}
    </Page>
  );
}

/** The selected files in the order of selection, which is the order of a slideshow. */
const inOrder = (media: readonly Media[], chosen: ReadonlySet<string>): Media[] =>
  [...chosen].flatMap((id) => media.find((one) => one.id === id) ?? []);

const headingOf = ({ folder }: MediaSearch) => (folder === "none" ? mediaWords.loose : mediaWords.all);

function Kinds({ search, onSearch, heading }: Props & { heading: string }) {
  return (
    <div className="mb-2 flex min-h-12 items-center justify-between gap-4">
      <h2 className="min-w-0 truncate font-semibold text-[0.9375rem] leading-6">{heading}</h2>
      <SmallSelect
        label={mediaWords.kind}
        value={search.kind ?? ""}
        onChange={(event) => onSearch(readSearch({ ...search, kind: event.target.value }))}
      >
        <option value="">{mediaWords.kinds.all}</option>
        <option value="image">{mediaWords.kinds.image}</option>
        <option value="video">{mediaWords.kinds.video}</option>
      </SmallSelect>
    </div>
  );
}

function Nothing({ search, onSearch, onFiles }: Props & { onFiles: (found: Found[]) => void }) {
  const { kind, ...rest } = search;
  if (kind) {
    const action = <Button onClick={() => onSearch(rest)}>{mediaWords.showAll}</Button>;
    return (
      <EmptyState icon={Images} title={mediaWords.noneOfKind[kind]} action={action}>
        {mediaWords.noneOfKindText}
      </EmptyState>
    );
  }
  const [title, text] = search.folder
    ? [mediaWords.emptyFolderTitle, mediaWords.emptyFolderText]
    : [mediaWords.emptyTitle, mediaWords.emptyText];
  return (
    <EmptyState icon={Images} title={title} action={<UploadMenu onFiles={onFiles} />}>
      {text}
    </EmptyState>
  );
}
