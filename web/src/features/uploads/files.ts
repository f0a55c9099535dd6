/** Files that are dropped, pasted or picked, folders included. */

/** A file, with its outermost folder if it has one, because the library has one level. */
export interface Found {
  file: File;
  folder: string | null;
}

/** The files of a drop or a paste. Must be called during the event; the result may come later. */
export function filesOf(data: DataTransfer): Promise<Found[]> {
  const entries = [...data.items].filter(({ kind }) => kind === "file").map((item) => item.webkitGetAsEntry());
  const known = entries.filter((entry) => entry !== null);
  if (known.length === 0) return Promise.resolve([...data.files].map((file) => ({ file, folder: null })));
  return Promise.all(known.map((entry) => inside(entry, null))).then((lists) => lists.flat());
}

/** The picked files; those of a folder have their path in it. */
export function picked(list: FileList | null): Found[] {
  return [...(list ?? [])].map((file) => {
    const [folder, ...rest] = file.webkitRelativePath.split("/");
    return { file, folder: folder && rest.length > 0 ? folder : null };
  });
}

/** Whether a drag or a paste contains files. */
export const bringsFiles = (data: DataTransfer | null): boolean => data?.types.includes("Files") === true;

async function inside(entry: FileSystemEntry, folder: string | null): Promise<Found[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, folder }];
  }
  const children = await listing((entry as FileSystemDirectoryEntry).createReader());
  const lists = await Promise.all(children.map((child) => inside(child, folder ?? entry.name)));
  return lists.flat();
}

/** A folder is listed in parts; an empty part is the end. */
async function listing(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const piece = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (piece.length === 0) return all;
    all.push(...piece);
  }
}
