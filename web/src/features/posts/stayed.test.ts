import { expect, test, vi } from "vitest";
import type { Schemas } from "@/api/client";

vi.stubGlobal("localStorage", { getItem: () => "w1", setItem: () => undefined });
const { stayedOf, whyRefused } = await import("./stayed");

const post = (id: string) => ({ id, mediaIds: ["m"] }) as unknown as Schemas["Post"];
const invalid = (...details: { path: (string | number)[]; code?: string; message: string }[]) => ({
  code: "invalid_request",
  message: details.map(({ path, message }) => `${path.join(".")}: ${message}`).join(),
  details,
});

test("each post that stays has its own reason, and one that was not reached has one as well", () => {
  const disabled = { path: ["platformIds"], code: "not_found", message: "is disabled, removed or needs reconnecting" };
  const past = { path: ["scheduledFor"], message: "must not be more than 5 minutes in the past" };
  const results = [
    { id: "1", status: "rescheduled" },
    { id: "2", status: "failed", error: invalid(disabled) },
    { id: "3", status: "failed", error: invalid(past) },
  ];
  const stayed = stayedOf([post("1"), post("2"), post("3"), post("4")], results);
  expect(stayed.map(({ post, why }) => [post.id, why])).toEqual([
    ["2", "The account is disabled, removed or needs reconnecting."],
    ["3", "The time must not be more than 5 minutes in the past."],
    ["4", "It was not reached in time. Try it again."],
  ]);
});

test("a reason names no field of the API", () => {
  const why = (path: (string | number)[], files: string[]) =>
    whyRefused(invalid({ path, message: "must fit" }), "1", files);
  expect(why(["platformIds", 0], ["m"])).toBe("The account must fit.");
  expect(why(["mediaIds"], ["m"])).toBe("The media must fit.");
  expect(why(["mediaIds", 0], ["m"])).toBe("The media must fit.");
  expect(why(["mediaIds", 1], ["m", "n"])).toBe("Photo 2 must fit.");
  expect(why(["content"], ["m"])).toBe("The caption must fit.");
  expect(why(["settings", "privacy_level"], ["m"])).toBe("Who can see this post must fit.");
  expect(why(["settings", "some_other_thing"], ["m"])).toBe("Some other thing must fit.");
  expect(why(["comments", 0, "content"], ["m"])).toBe("Comment 1 must fit.");
});

test("a refusal without places is a sentence of ours where there is one", () => {
  const why = (code: string) => whyRefused({ code, message: "From the service." }, "1");
  expect(why("post_not_found")).toBe("It was deleted meanwhile.");
  expect(why("post_not_reschedulable")).toBe("It is no longer queued, or is being published right now.");
  expect(why("internal_error")).toBe("Something failed on the server.");
  expect(why("post_limit_reached")).toBe("From the service.");
});
