/** The query of an address as plain texts: a token of digits stays a token. */

/** Reads it; of what is named twice, the last counts. */
export const parseSearch = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query));

/** Writes it, without what is empty. */
export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return query === "" ? "" : `?${query}`;
}
