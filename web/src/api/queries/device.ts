/** Programs that wait to be let in. Their routes are those of the public reference, not of `/app/v1`: typed here by hand. */
import { useMutation } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { answer } from "../client";

/** A program that waits for a person. */
export interface PendingDevice {
  /** The code in the form in which the program shows it. */
  userCode: string;
  /** What the program calls itself; nobody has checked. */
  clientName: string | null;
  /** The network address it asked from. */
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

/** `getDevice`, asked once for each code that is typed: after ten wrong ones a person is refused. */
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
