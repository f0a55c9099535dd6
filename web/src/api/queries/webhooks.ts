/** Webhooks: addresses that receive the workspace's events, and their deliveries. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, client, currentWorkspace, here, type Schemas } from "../client";
import { usePollInterval } from "../live";

/** An address that receives events. */
export type Webhook = Schemas["Webhook"];

/** One event for one webhook. */
export type Delivery = Schemas["WebhookDelivery"];

/** The fields of a webhook. */
export type WebhookInput = Schemas["CreateWebhook"];

/** An event's type. */
export type WebhookEvent = WebhookInput["events"][number];

/** All event types; one that is missing is an error of the compiler. */
export const WEBHOOK_EVENTS = Object.keys({
  "post.created": true,
  "post.updated": true,
  "post.queued": true,
  "post.unscheduled": true,
  "post.published": true,
  "post.failed": true,
  "post.action_required": true,
  "post.deleted": true,
  "platform.connected": true,
  "platform.refresh_needed": true,
  "platform.disconnected": true,
  "media.ready": true,
  "media.failed": true,
} satisfies Record<WebhookEvent, true>) as WebhookEvent[];

const at = (id: string) => ({ header: here(), path: { id } });
const PAGE = 25;
/** The polling interval of deliveries in progress: receivers respond within seconds. */
const UNDER_WAY_MS = 2_000;

/** `listWebhooks`. */
export const useWebhooks = () =>
  useQuery({
    queryKey: [currentWorkspace(), "webhooks"],
    queryFn: () => answer(client.GET("/app/v1/webhooks", { params: { header: here() } })),
  });

/** `listDeliveries`, page after page, newest first. */
export function useDeliveries(id: string) {
  const calm = usePollInterval();
  return useInfiniteQuery({
    queryKey: [currentWorkspace(), "webhooks", id, "deliveries"],
    queryFn: ({ pageParam }) => {
      const query = { limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) };
      return answer(client.GET("/app/v1/webhooks/{id}/deliveries", { params: { ...at(id), query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.deliveries.some(isUnderWay) ? UNDER_WAY_MS : calm),
  });
}

/** Whether its first attempt is in progress, or a manual redelivery. */
export const isUnderWay = ({ state, attempts, nextAttemptAt }: Delivery): boolean =>
  state === "pending" && (attempts === 0 || nextAttemptAt === null || Date.parse(nextAttemptAt) <= Date.now());

function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      for (const noun of ["webhooks", "audit"]) {
        void queries.invalidateQueries({ queryKey: [currentWorkspace(), noun] });
      }
    },
  });
}

/** `createWebhook`. */
export const useCreateWebhook = () =>
  useChange((body: WebhookInput) => answer(client.POST("/app/v1/webhooks", { params: { header: here() }, body })));

/** `updateWebhook`. */
export const useUpdateWebhook = () =>
  useChange(({ id, ...body }: { id: string } & Schemas["UpdateWebhook"]) =>
    answer(client.PATCH("/app/v1/webhooks/{id}", { params: at(id), body })),
  );

/** `deleteWebhook`. */
export const useDeleteWebhook = () =>
  useChange((id: string) => answer(client.DELETE("/app/v1/webhooks/{id}", { params: at(id) })));

/** `testWebhook`: sends a test event. */
export const useTestWebhook = () =>
  useChange((id: string) => answer(client.POST("/app/v1/webhooks/{id}/test", { params: at(id) })));

/** `rotateWebhookSecret`. */
export const useRotateSecret = () =>
  useChange((id: string) => answer(client.POST("/app/v1/webhooks/{id}/rotate-secret", { params: at(id) })));

/** `redeliver`: sends a delivery again. */
export const useRedeliver = () =>
  useChange((id: string) => answer(client.POST("/app/v1/webhooks/deliveries/{id}/redeliver", { params: at(id) })));
