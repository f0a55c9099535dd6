/** Server-sent events (HTML standard, section 9.2), of which the service uses only `data`. */

/** A parser for parts of a stream; calls `take` with the data of each complete event. */
export function eventReader(take: (data: string) => void): (piece: string) => void {
  let rest = "";
  let data: string[] = [];
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      if (line === "") {
        if (data.length > 0) take(data.join("\n"));
        data = [];
      }
    }
  };
}
