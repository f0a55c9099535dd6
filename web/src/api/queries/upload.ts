/** Uploads to the library. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { currentWorkspace, type Schemas, type Sending, send } from "../client";
import { outdateHere } from "../stale";

/** `uploadMedia`: a file becomes READY media. With the same `once`, retries create it only once. */
export function useUpload(): (file: File, how: Sending) => Promise<Schemas["Media"]> {
  const queries = useQueryClient();
  return useCallback(
    async (file, how) => {
      const form = new FormData();
      form.append("file", file, file.name);
      const media = await send<Schemas["Media"]>("/app/v1/media", form, how);
      queries.setQueryData([currentWorkspace(), "media", media.id], media);
      outdateHere(queries, "media");
      return media;
    },
    [queries],
  );
}
