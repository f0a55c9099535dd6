/** A path of ours to go on to; anything else is home. Browsers take `//host` and `/\host` for other hosts. */
export function local(next: string | undefined): string {
  const isPath = next?.startsWith("/") && !next.startsWith("//");
  return isPath && /^[\x21-\x5b\x5d-\x7e]+$/.test(next ?? "") ? (next as string) : "/";
}

/** A page's address that remembers where to go on. */
export function withNext(page: string, next: string | undefined): string {
  const path = local(next);
  return path === "/" ? page : `${page}?next=${encodeURIComponent(path)}`;
}
