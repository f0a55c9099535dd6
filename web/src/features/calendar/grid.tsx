import { type RefObject, useState } from "react";
import { type Day, monthStart } from "@/lib/calendar";
import { Board, type Wanted } from "./board";
import { type Carried, placeOf } from "./carried";
import { CarryBar } from "./carry";
import type { Item, ItemsAt } from "./items";
import { Month } from "./month";
import type { useMover } from "./mover";
import type { Period } from "./period";
import type { Target } from "./surface";
import { Times } from "./times";

interface Props {
  grid: RefObject<HTMLDivElement | null>;
  period: Period;
  at: ItemsAt;
  find: (id: string) => Item | undefined;
  zone: string;
  mover: ReturnType<typeof useMover>;
  onFocus: (wanted: Wanted | null) => void;
  onOpen: (id: string, element: HTMLElement) => void;
  onNew: (day: Day, minutes: number | null) => void;
}

/** A month, a week or a day whose posts can be moved by dragging or with the keyboard. */
export function Grid({ grid, period, at, find, zone, mover, onFocus, onOpen, onNew }: Props) {
  const [carried, setCarried] = useState<Carried | null>(null);
  const { view, date, days, weeks, today, show } = period;
  const put = async (item: Item, target: Target) => {
    onFocus({ day: target.day, id: item.post.id });
    const isDone = await mover.put(item, target);
    // The focus stays if it has moved elsewhere meanwhile.
    const active = document.activeElement as HTMLElement | null;
    const isThere = active === document.body || active?.dataset.stop === target.day;
    if (!isDone && isThere) onFocus({ day: item.day, id: item.post.id });
  };
  const carry = (item: Item, target: Target) => {
    setCarried({ item, target });
    if (!days.includes(target.day)) show(target.day);
  };
  const cancel = ({ item }: Carried) => {
    setCarried(null);
    onFocus({ day: item.day, id: item.post.id });
    if (!days.includes(item.day)) show(item.day);
  };
  const openDay = (day: Day) => {
    onFocus({ day, not: grid.current });
    // The list shows posts for which even a day has no space.
    show(day, view === "day" ? "list" : "day");
  };
  const beyond = (day: Day) => {
    onFocus({ day });
    show(day);
  };
  const shared = { grid, at, today, zone };
  return (
    <Board
      grid={grid}
      date={date}
      find={find}
      onOpen={onOpen}
      onOpenDay={openDay}
      onNew={onNew}
      onPut={(item, target) => void put(item, target)}
      onPickUp={(item) => carry(item, placeOf(item, view !== "month"))}
      onBeyond={beyond}
    >
      {view === "month" ? (
        <Month {...shared} weeks={weeks} month={monthStart(date)} />
      ) : (
        <Times key={view} {...shared} days={days} />
      )}
      {carried && (
        <CarryBar
          grid={grid}
          carried={carried}
          onMove={(target) => carry(carried.item, target)}
          onDrop={() => {
            setCarried(null);
            void put(carried.item, carried.target);
          }}
          onCancel={() => cancel(carried)}
        />
      )}
    </Board>
  );
}
