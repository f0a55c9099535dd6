import type { Composition } from "./composition";
import type { Problem } from "./problems";
import type { Alike, fieldsFor } from "./settings";

/** The common properties of the parts of a group's settings. */
export interface GroupParts {
  group: Alike;
  fields: ReturnType<typeof fieldsFor>;
  settings: Composition["settings"][string];
  set: (changes: Composition["settings"][string]) => void;
  problemsAt: (name: string) => Problem[];
}
