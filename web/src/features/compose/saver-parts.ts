/** The dependencies of the saver: the service, the browser, the clock. */
import type { Schemas } from "@/api/client";
import type { Composition, Said } from "./composition";

/** Its calls to the service. */
export interface Calls {
  create: (body: Schemas["CreatePost"], once: string) => Promise<Schemas["CreateResults"]>;
  find: (id: string) => Promise<{ body: Schemas["PostGroup"]; version: string | null }>;
  /** Fails with `precondition_failed` if the post has another version now. */
  update: (id: string, body: Schemas["UpdatePost"], version: string | null) => Promise<Schemas["PostGroup"]>;
  remove: (id: string) => Promise<unknown>;
}

/** All its dependencies. */
export interface Parts {
  calls: Calls;
  keep: (doc: Composition) => boolean;
  /** The content of the post to an account; null while it is not known. */
  said: (doc: Composition, account: string) => Said | null;
  /** The planned time, as in the API. */
  planned: (doc: Composition) => string | null;
  newKey: () => string;
  now: () => number;
  /** Starts a timer; returns the function that cancels it. */
  later: (run: () => void, ms: number) => () => void;
}
