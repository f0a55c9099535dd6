/** A path of this service; home for anything else. Browsers treat `//host` and `/\host` as other hosts. */
export function local(next: string | undefined): string {
  const isPath = next?.startsWith("/") && !next.startsWith("//");
  return isPath && /^[\x21-\x5b\x5d-\x7e]+$/.test(next ?? "") ? (next as string) : "/";
}

/** A page's address with the page that follows it. */
export function withNext(page: string, next: string | undefined): string {
  const path = local(next);
  return path === "/" ? page : `${page}?next=${encodeURIComponent(path)}`;
}
