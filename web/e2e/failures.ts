/** Names each test that failed, with the cause, in one line that can be found in the output of everything. */
import { relative } from "node:path";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/** How many lines of a cause are printed: with a difference, also what it consists in. */
const LINES = 8;

export default class Failures implements Reporter {
  onTestEnd(test: TestCase, result: TestResult) {
    if (result.status === "passed" || result.status === "skipped") return;
    const place = `${relative(process.cwd(), test.location.file)}:${test.location.line}`;
    const cause = (result.error?.message ?? result.status).replace(ESCAPES, "").split("\n");
    console.log(
      `failed: ${place}: ${test.title}: ${cause
        .filter((line) => line.trim() !== "")
        .slice(0, LINES)
        .join(" | ")}`,
    );
  }
}
