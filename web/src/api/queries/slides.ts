/** Slides: preview one, create all, propose captions. */
import { useMutation } from "@tanstack/react-query";
import { answer, client, here, type Schemas } from "../client";

/** A preview of a slide. */
export interface Preview {
  picture: Blob;
  /** `Missing-Glyphs`: the code points that no font has. */
  missing: string | null;
  /** The calls left before the rate limit; null if the service does not report it. */
  left: number | null;
}

/** `previewSlide`. When aborted, it fails as if the service could not be reached. */
export async function fetchPreview(body: Schemas["PreviewSlide"], signal: AbortSignal): Promise<Preview> {
  const call = client.POST("/app/v1/slides/preview", { params: { header: here() }, body, signal, parseAs: "blob" });
  const picture = await answer(call);
  const { headers } = (await call).response;
  const left = /;\s*r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
  return {
    picture,
    missing: headers.get("missing-glyphs"),
    left: left === undefined ? null : Number(left),
  };
}

/** `compositeSlides`, with an idempotency key for retries. */
export const compositeSlides = ({ once, ...body }: { once: string } & Schemas["CompositeSlides"]) =>
  answer(
    client.POST("/app/v1/slides/composite", {
      params: { header: { ...here(), "Idempotency-Key": once } },
      body,
    }),
  );

/** `proposeCaptions`. */
export const useProposeCaptions = () =>
  useMutation({
    mutationFn: ({ once, ...body }: { once: string } & Schemas["ProposeCaptions"]) =>
      answer(
        client.POST("/app/v1/slides/captions", {
          params: { header: { ...here(), "Idempotency-Key": once } },
          body,
        }),
      ),
  });
