/**
 * Saves a composition: each change at once in this browser, and after a pause as drafts in the service, one save at a time.
 * A post is compared before it is overwritten, so that the changes of others are not lost silently. React reads the state
 * through `subscribe`; the dependencies are passed in.
 */
import type { Schemas } from "@/api/client";
import { type Composition, isQueued, type Pending, print, savedPost, withPending, withPost } from "./composition";
import { adopted } from "./opened";
import type { Parts } from "./saver-parts";
import { isAnswer, type Trouble, troubleOf, unlessGone, unlessStale } from "./trouble";

type Post = Schemas["Post"];

export interface Shown {
  doc: Composition;
  saving: boolean;
  /** Whether this browser has stored it. */
  kept: boolean;
  troubles: ReadonlyMap<string, Trouble>;
}

const PAUSE_MS = 800;
const AGAIN_MS = 2_000;
const LONGEST_MS = 30_000;

export class Saver {
  private shown: Shown;
  private readonly listeners = new Set<() => void>();
  private running: Promise<void> | null = null;
  private callOff: (() => void) | null = null;
  private again = AGAIN_MS;
  private stopped = false;

  constructor(
    doc: Composition,
    private readonly parts: Parts,
  ) {
    this.shown = { doc, saving: false, kept: true, troubles: new Map() };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): Shown => this.shown;

  /** A change by the user: it is stored, and saved after a pause. */
  readonly change = (next: (doc: Composition) => Composition): void => {
    if (this.stopped) return;
    this.put({ ...next(this.shown.doc), unsaved: true, changedAt: this.parts.now() });
    if (!isQueued(this.shown.doc)) this.plan(PAUSE_MS);
  };

  /** A derived change, which is no reason to save. */
  readonly settle = (next: (doc: Composition) => Composition): void => {
    const doc = next(this.shown.doc);
    if (doc !== this.shown.doc) this.put(doc);
  };

  /** Called when data that saving waited for has loaded. */
  readonly nudge = (): void => {
    const { doc } = this.shown;
    if (doc.unsaved && !isQueued(doc) && !this.isSaved()) this.plan(PAUSE_MS);
  };

  /** Saves now; true if everything is then in the service. */
  readonly save = async (): Promise<boolean> => {
    this.callOff?.();
    this.callOff = null;
    while (this.running) await this.running;
    this.running = this.run().finally(() => {
      this.running = null;
    });
    await this.running;
    return this.isSaved();
  };

  /** Whether the post of each chosen account has the shown content. */
  isSaved(): boolean {
    const { doc } = this.shown;
    return doc.accounts.length > 0 && doc.accounts.every((account) => this.has(account));
  }

  private has(account: string): boolean {
    const { doc } = this.shown;
    const said = this.parts.said(doc, account);
    return said !== null && doc.posts[account]?.printed === print(said);
  }

  /** Overwrites the changes of someone else, or creates a new draft if the post is deleted or published. */
  readonly keepMine = (account: string): Promise<boolean> => {
    const trouble = this.shown.troubles.get(account);
    const post = this.shown.doc.posts[account];
    if (trouble?.kind === "changed" && post) {
      const known = { ...post, updatedAt: trouble.theirs.updatedAt };
      this.change((doc) => withPost(doc, account, known));
    } else {
      this.change((doc) => withPost(doc, account, null));
    }
    return this.save();
  };

  /** Takes the changes of someone else, and discards those made here. */
  readonly takeTheirs = (account: string): Promise<boolean> => {
    const trouble = this.shown.troubles.get(account);
    if (trouble?.kind === "changed") {
      this.trouble(account, null);
      this.change((doc) => adopted(doc, account, trouble.theirs));
    }
    return this.save();
  };

  /** Compares a post that was read again: if it differs, someone else changed it. */
  readonly notice = (account: string, theirs: Post): void => {
    const post = this.shown.doc.posts[account];
    if (!post || this.running || theirs.updatedAt <= post.updatedAt) return;
    const told = this.shown.troubles.get(account);
    if (told?.kind === "out" || (told?.kind === "changed" && told.theirs.updatedAt === theirs.updatedAt)) return;
    const isOpen = theirs.state === "DRAFT" || theirs.state === "QUEUE";
    if (!isOpen) this.trouble(account, { kind: "out" });
    else if (print(theirs) === post.printed) {
      this.settle((doc) => withPost(doc, account, { ...savedPost(theirs, post.made), printed: post.printed }));
    } else this.trouble(account, { kind: "changed", theirs });
  };

  /** Stops saving. */
  readonly stop = (): void => {
    this.stopped = true;
    this.callOff?.();
  };

  private trouble(account: string, trouble: Trouble | null): void {
    const troubles = new Map(this.shown.troubles);
    if (trouble) troubles.set(account, trouble);
    else troubles.delete(account);
    this.show({ troubles });
  }

  private put(doc: Composition): void {
    this.show({ doc, kept: this.stopped || this.parts.keep(doc) });
  }

  private show(change: Partial<Shown>): void {
    this.shown = { ...this.shown, ...change };
    for (const listener of this.listeners) listener();
  }

  private plan(ms: number): void {
    this.callOff?.();
    this.callOff = this.stopped ? null : this.parts.later(() => void this.save(), ms);
  }

  private async run(): Promise<void> {
    if (this.stopped) return;
    const before = this.shown.doc;
    this.show({ saving: true });
    const accounts = new Set([...before.accounts, ...Object.keys(before.posts), ...Object.keys(before.pending)]);
    for (const account of accounts) await this.saveOne(account);
    this.show({ saving: false });
    if ([...this.shown.troubles.values()].some(({ kind }) => kind === "unreachable")) {
      this.plan(this.again);
      this.again = Math.min(this.again * 2, LONGEST_MS);
    } else if (this.isSaved()) {
      this.again = AGAIN_MS;
      this.settle((doc) => (doc.unsaved ? { ...doc, unsaved: false } : doc));
    }
  }

  private async saveOne(account: string): Promise<void> {
    try {
      if (!this.shown.doc.accounts.includes(account)) await this.drop(account);
      else {
        await this.create(account);
        await this.update(account);
        if (this.has(account)) this.trouble(account, null);
      }
    } catch (error) {
      this.trouble(account, troubleOf(error));
    }
  }

  /** Deletes the post of an account that is no longer chosen. */
  private async drop(account: string): Promise<void> {
    this.trouble(account, null);
    // Whether it was created is not known, so the request is repeated first.
    if (this.shown.doc.pending[account]) await this.create(account);
    const post = this.shown.doc.posts[account];
    if (!post?.made || post.state !== "DRAFT") return;
    await this.parts.calls.remove(post.id).catch(unlessGone);
    this.settle((doc) => withPost(doc, account, null));
  }

  private async create(account: string): Promise<void> {
    const { doc } = this.shown;
    const asked = doc.posts[account] ? null : (doc.pending[account] ?? this.request(account));
    if (!asked) return;
    this.settle((doc) => withPending(doc, account, asked));
    try {
      const { results } = await this.parts.calls.create(asked.body, asked.once);
      this.settle((doc) => withPending(doc, account, null));
      const [result] = results;
      if (result?.status === "created") {
        const made = { ...savedPost(result.post.root, true), printed: printRequest(asked.body) };
        this.settle((doc) => withPost(doc, account, made));
      } else if (result) this.trouble(account, { kind: "refused", error: result.error });
    } catch (error) {
      if (isAnswer(error)) this.settle((doc) => withPending(doc, account, null));
      throw error;
    }
  }

  private request(account: string): Pending | null {
    const { doc } = this.shown;
    const said = this.parts.said(doc, account);
    if (!said || said.content === "") return null;
    const scheduledFor = this.parts.planned(doc);
    const body = { ...said, mediaIds: [...said.mediaIds], settings: { ...said.settings } };
    return { once: this.parts.newKey(), body: { platformIds: [account], mode: "draft", scheduledFor, ...body } };
  }

  private async update(account: string): Promise<void> {
    const { doc } = this.shown;
    const post = doc.posts[account];
    const said = this.parts.said(doc, account);
    if (!post || !said || said.content === "" || print(said) === post.printed) return;
    const { body: found, version } = await this.parts.calls.find(post.id);
    const { root } = found;
    if (root.state !== "DRAFT" && root.state !== "QUEUE") return this.trouble(account, { kind: "out" });
    const isOurs = root.updatedAt === post.updatedAt || [post.sent, print(said)].includes(print(root));
    if (!isOurs) return this.trouble(account, { kind: "changed", theirs: root });
    this.settle((doc) => withPost(doc, account, { ...post, updatedAt: root.updatedAt, sent: print(said) }));
    const body = { content: said.content, mediaIds: [...said.mediaIds], settings: { ...said.settings } };
    const saved = await this.parts.calls.update(post.id, body, version).catch(unlessStale);
    // Someone else changed it since it was read: it is compared again.
    if (!saved) return this.update(account);
    this.settle((doc) => withPost(doc, account, { ...savedPost(saved.root, post.made), printed: print(said) }));
  }
}

const printRequest = ({ content, mediaIds, settings }: Schemas["CreatePost"]): string =>
  print({ content, mediaIds: mediaIds ?? [], settings: settings ?? {} });
