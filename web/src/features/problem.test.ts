import { expect, test, vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => "w1", setItem: () => undefined });
const { ApiError, refusal } = await import("@/api/client");
const { sentence, told } = await import("./problem");

const answered = (status: number, body: unknown, requestId: string | null = null) =>
  refusal(status, (name) => (name === "x-request-id" ? requestId : null), body);

test("a 413 without a body of the service is one of a proxy", () => {
  for (const body of [null, "<html>413 Request Entity Too Large</html>", {}]) {
    expect(sentence(answered(413, body))).toBe(
      "A proxy in front of the service refused the size of the request (413). The operator of the service must raise the limit of that proxy.",
    );
  }
  const own = { code: "media_too_large", message: "A picture has at most 20 MB." };
  expect(sentence(answered(413, own))).toBe("A picture has at most 20 MB.");
});

test("the number below is promised only where there is one", () => {
  expect(told(answered(500, null, "7f3a")).advice).toMatch("the number below");
  for (const error of [
    answered(502, null),
    answered(405, "no"),
    new Error("bug"),
    new ApiError(0, "unreachable", "", null, null),
  ]) {
    expect(told(error).requestId).toBeNull();
    expect(told(error).advice).not.toMatch("below");
  }
});

test("a sentence, which stands alone, promises no number", () => {
  const text = "Something failed on the server. Try again. If it fails again, contact the operator of this service.";
  expect(sentence(answered(500, null, "7f3a"))).toBe(text);
  expect(sentence(new Error("bug"))).toBe(text);
});
