import { Link } from "@tanstack/react-router";
import { Ellipsis, Folder, FolderOpen, Images, type LucideIcon, PencilLine, Trash2 } from "lucide-react";
import { type DragEvent, type ReactNode, useState } from "react";
import type { Schemas } from "@/api/client";
import { useFolders } from "@/api/queries/media";
import { mediaWords } from "@/strings/media";
import { IconButton } from "@/ui/button";
import { Menu, MenuItem } from "@/ui/menu";
import { DeleteFolder, FolderDialog } from "./folder-dialogs";
import { DRAGGED, type MediaSearch } from "./search";

type FolderBody = Schemas["Folder"];

interface Props {
  search: MediaSearch;
  /** Called when files are dropped on a folder, with their IDs; null is the root. */
  onDropMedia: (ids: string[], folderId: string | null) => void;
}

/** The folders, beside the files or, on a phone, in a line above them. Tiles can be dropped on them. */
export function FolderList({ search, onDropMedia }: Props) {
  const folders = useFolders().data?.folders ?? [];
  const [asks, setAsks] = useState<{ what: "rename" | "delete"; folder: FolderBody } | null>(null);
  const kind = search.kind ? { kind: search.kind } : {};
  return (
    <nav
      aria-label={mediaWords.folders}
      className="-mx-4 overflow-x-auto px-4 pb-1 lg:sticky lg:top-6 lg:mx-0 lg:self-start lg:overflow-visible lg:p-0"
    >
      <ul className="flex gap-1 lg:grid lg:gap-0.5">
        <Item icon={Images} name={mediaWords.all} to={kind} isHere={search.folder === undefined} />
        <Item
          icon={FolderOpen}
          name={mediaWords.loose}
          to={{ ...kind, folder: "none" }}
          isHere={search.folder === "none"}
          onDropMedia={(ids) => onDropMedia(ids, null)}
        />
        {folders.map((folder) => (
          <Item
            key={folder.id}
            icon={Folder}
            name={folder.name}
            to={{ ...kind, folder: folder.id }}
            isHere={search.folder === folder.id}
            onDropMedia={(ids) => onDropMedia(ids, folder.id)}
          >
            <FolderMenu name={folder.name} onAsk={(what) => setAsks({ what, folder })} />
          </Item>
        ))}
      </ul>
      <FolderDialog open={asks?.what === "rename"} folder={asks?.folder ?? null} onClose={() => setAsks(null)} />
      <DeleteFolder folder={asks?.what === "delete" ? asks.folder : null} onClose={() => setAsks(null)} />
    </nav>
  );
}

function FolderMenu({ name, onAsk }: { name: string; onAsk: (what: "rename" | "delete") => void }) {
  const trigger = (
    <IconButton
      label={mediaWords.folderActions(name)}
      className="absolute right-0.5 size-8 lg:opacity-0 lg:focus-visible:opacity-100 lg:group-hover:opacity-100 lg:data-[state=open]:opacity-100"
    >
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem icon={<PencilLine aria-hidden />} onSelect={() => onAsk("rename")}>
        {mediaWords.renameFolder}
      </MenuItem>
      <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => onAsk("delete")}>
        {mediaWords.deleteFolder}
      </MenuItem>
    </Menu>
  );
}

interface ItemProps {
  icon: LucideIcon;
  name: string;
  to: MediaSearch;
  isHere: boolean;
  onDropMedia?: (ids: string[]) => void;
  children?: ReactNode;
}

function Item({ icon: Icon, name, to, isHere, onDropMedia, children }: ItemProps) {
  const [isOver, setOver] = useState(false);
  const drag = (event: DragEvent) => {
    if (!onDropMedia || !event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    setOver(event.type === "dragover");
    if (event.type === "drop") onDropMedia(JSON.parse(event.dataTransfer.getData(DRAGGED)) as string[]);
  };
  return (
    <li className="group relative flex shrink-0 items-center" onDragOver={drag} onDragLeave={drag} onDrop={drag}>
      <Link
        to="/media"
        search={to}
        aria-current={isHere ? "page" : undefined}
        className={`flex h-9 min-w-0 flex-1 items-center gap-2.5 rounded-lg px-2.5 transition-colors duration-100 hover:bg-hover hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink ${children ? "pr-9" : ""} ${isOver ? "bg-accent-soft text-accent ring-2 ring-accent" : "text-soft"}`}
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        <span className="max-w-40 truncate lg:max-w-none" title={name}>
          {name}
        </span>
      </Link>
      {children}
    </li>
  );
}
