/** What is handed to the saver: the service, the browser, the clock. */
import type { Schemas } from "@/api/client";
import type { Composition, Said } from "./composition";

/** The calls that it makes. */
export interface Calls {
  create: (body: Schemas["CreatePost"], once: string) => Promise<Schemas["CreateResults"]>;
  find: (id: string) => Promise<Schemas["PostGroup"]>;
  update: (id: string, body: Schemas["UpdatePost"]) => Promise<Schemas["PostGroup"]>;
  remove: (id: string) => Promise<unknown>;
}

/** All of it. */
export interface Parts {
  calls: Calls;
  keep: (doc: Composition) => boolean;
  /** What a post to an account says; null while that is not known. */
  said: (doc: Composition, account: string) => Said | null;
  /** The planned moment, as the API takes it. */
  planned: (doc: Composition) => string | null;
  newKey: () => string;
  now: () => number;
  /** Calls back later; answers how to call it off. */
  later: (run: () => void, ms: number) => () => void;
}
