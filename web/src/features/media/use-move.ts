import { useQueryClient } from "@tanstack/react-query";
import { currentWorkspace, type Schemas } from "@/api/client";
import { updateMedia, useFolders } from "@/api/queries/media";
import { mediaWords } from "@/strings/media";
import { toast, toastFailure } from "@/ui/toasts";
import { sentence } from "../problem";
import { each } from "./many";

type Media = Schemas["Media"];

/** Moves files into a folder, or to the root, with undo. */
export function useMove(): (media: readonly Media[], folderId: string | null) => Promise<void> {
  const queries = useQueryClient();
  const folders = useFolders().data?.folders ?? [];
  const fresh = () => queries.invalidateQueries({ queryKey: [currentWorkspace(), "media"] });
  const back = async (media: readonly Media[]) => {
    const { failed } = await each(media, ({ id, folderId }) => updateMedia({ id, folderId }));
    if (failed[0]) toastFailure(sentence(failed[0].error));
    void fresh();
  };
  return async (media, folderId) => {
    const elsewhere = media.filter((one) => one.folderId !== folderId);
    const { done, failed } = await each(elsewhere, ({ id }) => updateMedia({ id, folderId }));
    void fresh();
    const name = folders.find(({ id }) => id === folderId)?.name;
    if (failed[0]) toastFailure(mediaWords.failedPart(done.length, elsewhere.length, sentence(failed[0].error)));
    else if (done.length > 0) {
      const text = name === undefined ? mediaWords.movedOut(done.length) : mediaWords.moved(done.length, name);
      toast(text, () => void back(done));
    }
  };
}
