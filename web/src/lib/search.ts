/** The query of an address as plain strings: a token of digits stays a string. */

/** Parses it; a repeated parameter is a list. */
export function parseSearch(query: string): Record<string, string | string[]> {
  const params = new URLSearchParams(query);
  const read = (name: string): [string, string | string[]] => {
    const values = params.getAll(name);
    return [name, values.length > 1 ? values : (values[0] ?? "")];
  };
  return Object.fromEntries([...params.keys()].map(read));
}

/** Serializes it without empty values; a list is a repeated parameter. */
export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((member): [string, unknown] => [name, member]),
  );
  const given = entries.filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === "" ? "" : `?${query}`;
}
