/** `readBundle`: combines the reads that a page starts at the same moment into one request. */
import { answer, client, currentWorkspace, here, refused, type Schemas } from "./client";

type Bundle = Schemas["Bundle"];

/** The parts of a bundle: lists of the workspace, and items by their IDs. */
type Kind = "include" | "post" | "media" | "schema" | "ask";

interface Wish {
  kind: Kind;
  value: string;
  workspace: string;
  resolve: (bundle: Bundle) => void;
  reject: (error: unknown) => void;
}

/** How long a request waits for others: queries of one page start at the same moment. */
const TOGETHER_MS = 5;
/** The most items of one request. */
const MOST = 100;
const MOST_ASKED = 20;

let wishes: Wish[] = [];

function read(kind: Kind, value: string): Promise<Bundle> {
  return new Promise((resolve, reject) => {
    if (wishes.length === 0) setTimeout(send, TOGETHER_MS);
    wishes.push({ kind, value, workspace: currentWorkspace(), resolve, reject });
  });
}

function send(): void {
  // After a switch to another workspace the old reads are dropped; the pages read again.
  const all = wishes;
  wishes = [];
  // Calls to providers are slow; other reads must not wait for them.
  sendAll(
    all.filter(({ kind }) => kind !== "ask"),
    MOST,
  );
  sendAll(
    all.filter(({ kind }) => kind === "ask"),
    MOST_ASKED,
  );
}

function sendAll(all: readonly Wish[], most: number): void {
  for (let from = 0; from < all.length; from += most) void sendSome(all.slice(from, from + most));
}

async function sendSome(some: readonly Wish[]): Promise<void> {
  const of = (kind: Kind) => {
    const values = [...new Set(some.filter((wish) => wish.kind === kind).map(({ value }) => value))];
    return values.length > 0 ? { [kind]: values } : {};
  };
  const query = { ...of("include"), ...of("post"), ...of("media"), ...of("schema"), ...of("ask") };
  const header = { ...here(), "x-organization-id": some[0]?.workspace ?? "" };
  try {
    const bundle = await answer(client.GET("/app/v1/bundle", { params: { header, query }, cache: "no-store" }));
    for (const { resolve } of some) resolve(bundle);
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
}

/** The item, or the error with which it is missing. */
function found<T>(things: readonly T[], isIt: (thing: T) => boolean, bundle: Bundle, id: string): T {
  const thing = things.find(isIt);
  if (thing !== undefined) return thing;
  const failed = bundle.failed.find((failed) => failed.id === id);
  throw refused(failed?.error ?? { code: "not_found", message: "" });
}

/** `listPlatforms`, including those that cannot be used now. */
export const readPlatforms = async () => ({ platforms: (await read("include", "platforms")).platforms ?? [] });

/** The first posts that require action. */
export const readWaiting = async () => (await read("include", "waiting")).waiting ?? { posts: [], nextCursor: null };

/** `getUsage`. */
export async function readUsage(): Promise<Schemas["Usage"]> {
  const { usage } = await read("include", "usage");
  if (!usage) throw refused({ code: "internal_error", message: "" });
  return usage;
}

/** Whether the workspace has any post. */
export const readHasPosts = async () => (await read("include", "hasPosts")).hasPosts ?? false;

/** `getPost`. */
export async function readPost(id: string): Promise<Schemas["PostGroup"]> {
  const bundle = await read("post", id);
  const isIt = ({ root, children }: Schemas["PostGroup"]) => root.id === id || children.some((one) => one.id === id);
  return found(bundle.posts, isIt, bundle, id);
}

/** `getMedia`. */
export async function readMedia(id: string): Promise<Schemas["Media"]> {
  const bundle = await read("media", id);
  return found(bundle.media, (media) => media.id === id, bundle, id);
}

/** `getPlatformSchema`. */
export async function readSchema(id: string): Promise<Schemas["PlatformWithSchema"]> {
  const bundle = await read("schema", id);
  return found(bundle.schemas, ({ platform }) => platform.id === id, bundle, id);
}

/** `getPlatformHealth` with a refresh at the provider, then the account with its schema, if it can be posted to. */
export async function readAsked(id: string) {
  const bundle = await read("ask", id);
  return {
    health: found(bundle.health, ({ platformId }) => platformId === id, bundle, id),
    account: bundle.schemas.find(({ platform }) => platform.id === id) ?? null,
  };
}
