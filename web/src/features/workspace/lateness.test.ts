import { expect, test } from "vitest";
import { labelOf, latenessChoices, optionOf, policyOf } from "./lateness";

test("each choice is read again from its value", () => {
  for (const choice of latenessChoices({ askAfterHours: 1.5 })) {
    expect(policyOf(optionOf(choice))).toEqual(choice);
  }
});

test("hours that were set by a program stand in their place among the choices", () => {
  const hours = latenessChoices({ askAfterHours: 30.5 }).map((choice) => choice?.askAfterHours);
  expect(hours).toEqual([1, 3, 6, 12, 24, 30.5, 48, 72, 168, undefined]);
  expect(latenessChoices({ askAfterHours: 24 })).toHaveLength(9);
  expect(latenessChoices(null).at(-1)).toBeNull();
});

test("options are labelled in hours up to a day and in whole days beyond", () => {
  const said = [1, 1.5, 24, 30, 48, 168].map((askAfterHours) => labelOf({ askAfterHours }));
  expect(said).toEqual([
    "When more than 1 hour late",
    "When more than 1.5 hours late",
    "When more than 24 hours late",
    "When more than 30 hours late",
    "When more than 2 days late",
    "When more than 7 days late",
  ]);
  expect(labelOf(null)).toBe("Never: publish however late");
});
