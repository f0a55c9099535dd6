import { expect, test } from "vitest";
import { csv } from "./csv";

test("quotes, commas and lines stay inside their cell", () => {
  expect(csv(["a", "b"], [['say "hi"', "x,y\nz"]])).toBe('a,b\r\n"say ""hi""","x,y\nz"\r\n');
});

test("what a spreadsheet would compute stays text", () => {
  expect(csv(["caption"], [["=1+1"], ["@someone"], ["-3"]])).toBe("caption\r\n'=1+1\r\n'@someone\r\n'-3\r\n");
});
