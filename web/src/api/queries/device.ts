/** Device authorization. Its routes are those of the public reference, not of `/app/v1`: typed here by hand. */
import { useMutation } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { answer, type Schemas } from "../client";

type Scope = Schemas["Key"]["scopes"][number];

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
  /** What it asks for. */
  scopes: Scope[];
}

/** An approval, and what of the requested access the key gets. */
export interface ApproveDevice {
  userCode: string;
  /** Some of the requested scopes. */
  scopes: Scope[];
  /** Absent: all accounts. */
  platformIds?: string[];
  /** Absent: never. */
  expiresAt?: string;
}

interface Answer<T> {
  responses: { 200: { content: { "application/json": T } } };
}
interface Decision<Body, T> extends Answer<T> {
  requestBody: { content: { "application/json": Body } };
}

interface DevicePaths {
  "/auth/device/{userCode}": { get: Answer<PendingDevice> & { parameters: { path: { userCode: string } } } };
  "/auth/device/approve": {
    post: Decision<ApproveDevice, { status: "approved"; organizationId: string }> & {
      parameters: { header: { "x-organization-id": string } };
    };
  };
  "/auth/device/deny": { post: Decision<{ userCode: string }, { status: "denied" }> };
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
    mutationFn: ({ organizationId, ...body }: ApproveDevice & { organizationId: string }) =>
      answer(
        client.POST("/auth/device/approve", {
          params: { header: { "x-organization-id": organizationId } },
          body,
        }),
      ),
  });

/** `denyDevice`. */
export const useDenyDevice = () =>
  useMutation({ mutationFn: (userCode: string) => answer(client.POST("/auth/device/deny", { body: { userCode } })) });
