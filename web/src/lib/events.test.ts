import { expect, test } from "vitest";
import { eventReader } from "./events";

test("events are whole although the stream is cut anywhere", () => {
  const stream = ': hello\r\n\r\ndata: {"type":"post.updated",\r\ndata: "id":"1"}\r\n\r\nid: 7\r\ndata:two\r\n\r\n';
  for (let cut = 0; cut <= stream.length; cut += 1) {
    const seen: string[] = [];
    const read = eventReader((data) => seen.push(data));
    read(stream.slice(0, cut));
    read(stream.slice(cut));
    expect(seen, `cut at ${cut}`).toEqual(['{"type":"post.updated",\n"id":"1"}', "two"]);
  }
});

test("an event that is not ended is not handed on", () => {
  const seen: string[] = [];
  eventReader((data) => seen.push(data))("data: half\n");
  expect(seen).toEqual([]);
});
