import { type KeyboardEvent, useRef, useState } from "react";
import type { Schemas } from "@/api/client";
import { between, stepped } from "@/lib/media";
import { mediaWords } from "@/strings/media";
import type { MediaSearch } from "./search";
import { Tile } from "./tile";

type Media = Schemas["Media"];

const GRID = "grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,42vw),1fr))] gap-x-4 gap-y-6";

interface Props {
  media: readonly Media[];
  search: MediaSearch;
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Files as pictures. One of them is a tab stop; arrows move to the others, Space selects. */
export function MediaGrid({ media, search, chosen, onChoose }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(0);
  const last = useRef<string | null>(null);
  const ids = media.map(({ id }) => id);
  const toggle = (id: string, isRange: boolean) => {
    const next = new Set(chosen);
    const isOn = !chosen.has(id);
    for (const one of isRange && last.current ? between(ids, last.current, id) : [id]) {
      if (isOn) next.add(one);
      else next.delete(one);
    }
    last.current = id;
    onChoose(next);
  };
  const press = (event: KeyboardEvent) => {
    const current = media[active];
    if (event.key === " " && event.target instanceof HTMLAnchorElement && current) {
      event.preventDefault();
      toggle(current.id, event.shiftKey);
      return;
    }
    const columns = list.current ? getComputedStyle(list.current).gridTemplateColumns.split(" ").length : 1;
    const to = stepped(event.key, active, media.length, columns);
    if (to === null) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>("[data-tile]")[to]?.focus();
  };
  return (
    <ul ref={list} aria-label={mediaWords.grid} onKeyDown={press} className={GRID}>
      {media.map((one, place) => (
        <Tile
          key={one.id}
          media={one}
          search={search}
          isActive={place === Math.min(active, media.length - 1)}
          isChosen={chosen.has(one.id)}
          dragged={chosen.has(one.id) ? [...chosen] : [one.id]}
          onFocus={() => setActive(place)}
          onToggle={(isRange) => toggle(one.id, isRange)}
        />
      ))}
    </ul>
  );
}

/** The placeholder while files load. */
export function TileSkeleton() {
  return (
    <div role="status" aria-busy className={GRID}>
      <span className="sr-only">Loading</span>
      {Array.from({ length: 10 }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
        <div key={place} className="animate-pulse">
          <div className="aspect-[4/5] rounded-xl bg-sunken" />
          <div className="mt-3 h-3 w-2/3 rounded bg-sunken" />
        </div>
      ))}
    </div>
  );
}
