/** Connected accounts: their health, their schemas, and their operations. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { readPlatforms, readSchema } from "../bundle";
import { answer, client, currentWorkspace, here, type Schemas } from "../client";
import { usePollInterval } from "../live";

/** `listPlatforms`, including those that cannot be used now. */
export function usePlatforms() {
  const refetchInterval = usePollInterval();
  return useQuery({
    queryKey: [currentWorkspace(), "platforms"],
    queryFn: readPlatforms,
    refetchInterval,
  });
}

/** The same of any workspace of the user; undefined: none. */
export const usePlatformsOf = (workspace: string | undefined) =>
  useQuery({
    queryKey: [workspace, "platforms"],
    queryFn: () => {
      const header = { "x-organization-id": workspace ?? "" };
      return answer(client.GET("/app/v1/platforms", { params: { header, query: { all: true } } }));
    },
    enabled: workspace !== undefined,
  });

/** `getPlatformHealth`. */
export function usePlatformHealth(id: string) {
  return useQuery({
    queryKey: [currentWorkspace(), "platforms", id, "health"],
    queryFn: () => answer(client.GET("/app/v1/platforms/{id}/health", { params: { header: here(), path: { id } } })),
  });
}

/** `getPlatformHealth`, with a refresh at the provider. */
export function useRefreshHealth(id: string) {
  const queries = useQueryClient();
  const params = () => ({ header: here(), path: { id }, query: { refresh: true } });
  return useMutation({
    mutationFn: () => answer(client.GET("/app/v1/platforms/{id}/health", { params: params() })),
    onSuccess: (health) => {
      queries.setQueryData([currentWorkspace(), "platforms", id, "health"], health);
      void queries.invalidateQueries({ queryKey: [currentWorkspace(), "platforms"] });
    },
  });
}

/** `getPlatformSchema`. */
export function usePlatformSchema(id: string) {
  return useQuery({
    queryKey: [currentWorkspace(), "platforms", id, "schema"],
    queryFn: () => readSchema(id),
    retry: false,
  });
}

/** `connectPlatform`: returns the address of the provider's page. */
export const useConnectPlatform = () =>
  useMutation({
    mutationFn: (body: Schemas["ConnectPlatform"]) =>
      answer(client.POST("/app/v1/platforms/connect", { params: { header: here() }, body })),
  });

function usePlatformChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      for (const noun of ["platforms", "posts", "usage"]) {
        void queries.invalidateQueries({ queryKey: [currentWorkspace(), noun] });
      }
    },
  });
}

/** `updatePlatform`. */
export const useUpdatePlatform = () =>
  usePlatformChange(({ id, ...body }: { id: string } & Schemas["UpdatePlatform"]) =>
    answer(client.PATCH("/app/v1/platforms/{id}", { params: { header: here(), path: { id } }, body })),
  );

/** `deletePlatform`. */
export const useDeletePlatform = () =>
  usePlatformChange((id: string) =>
    answer(client.DELETE("/app/v1/platforms/{id}", { params: { header: here(), path: { id } } })),
  );
