/** Device authorization. Its routes are those of the public reference, not of `/app/v1`: typed here by hand. */
import { useMutation } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { answer } from "../client";

/** A program that waits for approval. */
export interface PendingDevice {
  /** The code as the program shows it. */
  userCode: string;
  /** The program's name, as it gave it; not verified. */
  clientName: string | null;
  /** The network address of its request. */
  address: string | null;
  createdAt: string;
  ageSeconds: number;
  expiresAt: string;
}

interface Answer<T> {
  responses: { 200: { content: { "application/json": T } } };
}
interface Decision<T> extends Answer<T> {
  requestBody: { content: { "application/json": { userCode: string } } };
}

interface DevicePaths {
  "/auth/device/{userCode}": { get: Answer<PendingDevice> & { parameters: { path: { userCode: string } } } };
  "/auth/device/approve": {
    post: Decision<{ status: "approved"; organizationId: string }> & {
      parameters: { header: { "x-organization-id": string } };
    };
  };
  "/auth/device/deny": { post: Decision<{ status: "denied" }> };
}

const client = createClient<DevicePaths>({ credentials: "same-origin" });

/** `getDevice`, requested once for each typed code: after ten wrong codes a user is blocked. */
export const useFindDevice = () =>
  useMutation({
    mutationFn: (userCode: string) => answer(client.GET("/auth/device/{userCode}", { params: { path: { userCode } } })),
  });

/** `approveDevice`, for a workspace. */
export const useApproveDevice = () =>
  useMutation({
    mutationFn: ({ userCode, organizationId }: { userCode: string; organizationId: string }) =>
      answer(
        client.POST("/auth/device/approve", {
          params: { header: { "x-organization-id": organizationId } },
          body: { userCode },
        }),
      ),
  });

/** `denyDevice`. */
export const useDenyDevice = () =>
  useMutation({ mutationFn: (userCode: string) => answer(client.POST("/auth/device/deny", { body: { userCode } })) });
