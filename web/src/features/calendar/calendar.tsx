import { useNavigate } from "@tanstack/react-router";
import { useLayoutEffect, useRef, useState } from "react";
import { usePrefetchRanges } from "@/api/queries/calendar";
import type { Day } from "@/lib/calendar";
import { wallOf } from "@/lib/zoned";
import { calendar, moving } from "@/strings/calendar";
import { Skeleton, useTitle } from "@/ui/page";
import { toastFailure } from "@/ui/toasts";
import { useFocusSoon } from "./board";
import { PostCard } from "./card";
import { DeleteQuestion } from "./delete";
import { Grid } from "./grid";
import { type Item, rangesOf, useItems } from "./items";
import { useCalendarKeys } from "./keys";
import { List, scrollToDay } from "./list";
import { useMover } from "./mover";
import { useOpened } from "./opened";
import { usePeriod, weeksFor } from "./period";
import { type CalendarSearch, newMoment, type View } from "./search";
import { Failed, Nothing } from "./states";
import { Toolbar } from "./toolbar";
import { useZone } from "./zone";

interface Props {
  search: CalendarSearch;
  onSearch: (search: CalendarSearch) => void;
}

/** The schedule: a month, a week, a day, or a list. */
export function Calendar({ search, onSearch }: Props) {
  const zone = useZone();
  const period = usePeriod(search, onSearch, zone);
  const { view, date, today, days, show } = period;
  const { at, find, error, retry, isLoading } = useItems(period.weeks, search, zone);
  const grid = useRef<HTMLDivElement>(null);
  const focus = useFocusSoon(grid);
  const { opened, open, close, isClosing, watch } = useOpened(() => focus(null));
  const mover = useMover(zone);
  const prefetch = usePrefetchRanges();
  const compose = useCompose(zone);
  useTitle(period.title);
  const onView = (next: View) => {
    const stop = document.activeElement?.closest<HTMLElement>("[data-stop]")?.dataset.stop;
    if (stop) focus({ day: stop, not: grid.current });
    show(stop ?? date, next);
  };
  const onStep = (direction: 1 | -1) => show(period.beside(direction));
  const onToday = () => {
    show(today);
    if (view === "list") scrollToDay(today);
  };
  useCalendarKeys({ onView, onStep, onToday });
  const isEmpty = !isLoading && error === null && days.every((day) => at(day)?.length === 0);
  const isFiltered = search.state !== undefined || search.account !== undefined;
  const clear = () =>
    onSearch({ ...(search.view && { view: search.view }), ...(search.date && { date: search.date }) });
  return (
    <div className="flex flex-col px-4 pt-6 pb-28 md:h-dvh md:min-h-[34rem] md:px-6 md:pb-6" {...watch}>
      <Toolbar
        title={period.title}
        note={isEmpty && view !== "list" ? (isFiltered ? calendar.nothingFiltered : calendar.nothing[view]) : ""}
        zone={zone}
        view={view}
        search={search}
        onSearch={onSearch}
        onView={onView}
        onToday={onToday}
        onStep={onStep}
        onNear={(direction) => prefetch(rangesOf(weeksFor(view, period.beside(direction)), zone))}
        onNew={() => compose()}
      />
      {error !== null && <Failed error={error} onRetry={retry} />}
      {view !== "list" && (
        <Grid
          grid={grid}
          period={period}
          at={at}
          find={find}
          zone={zone}
          mover={mover}
          onFocus={focus}
          onOpen={open}
          onNew={(day, minutes) => !isClosing() && day >= today && compose(day, minutes)}
        />
      )}
      {view === "list" && isLoading && <Skeleton rows={8} />}
      {view === "list" && isEmpty && (
        <Nothing text={calendar.nothing.list} isFiltered={isFiltered} onClear={clear} onNew={() => compose()} />
      )}
      {view === "list" && !isLoading && !isEmpty && <List {...period} at={at} zone={zone} onOpen={open} />}
      <Opened
        key={opened?.id}
        item={opened ? find(opened.id) : undefined}
        element={opened?.element}
        zone={zone}
        onClose={close}
        onMove={(item, at) => {
          focus({ day: wallOf(at, zone).day, id: item.post.id });
          void mover.schedule(item, at);
        }}
      />
    </div>
  );
}

interface OpenedProps {
  item: Item | undefined;
  element: HTMLElement | undefined;
  zone: string;
  onClose: () => void;
  onMove: (item: Item, at: number) => void;
}

/** The card of the clicked post, and the confirmation before it is deleted. */
function Opened({ item, element, zone, onClose, onMove }: OpenedProps) {
  const [isRemoving, setRemoving] = useState(false);
  const asks = useRef(false);
  const back = () => {
    const stays = element?.isConnected
      ? element
      : document.querySelector<HTMLElement>(`[data-post="${item?.post.id}"]`);
    stays?.focus();
  };
  useLayoutEffect(() => {
    // The dialog returns the focus to the element that has it when it opens: the post.
    if (isRemoving && element?.isConnected) element.focus();
  }, [isRemoving, element]);
  if (!item || !element) return null;
  if (isRemoving) return <DeleteQuestion item={item} onClose={onClose} />;
  return (
    <PostCard
      item={item}
      anchor={element}
      zone={zone}
      onClose={() => asks.current || onClose()}
      onMove={(at) => {
        onClose();
        onMove(item, at);
      }}
      onDelete={() => {
        asks.current = true;
        setRemoving(true);
      }}
      onFocusBack={back}
    />
  );
}

/** Opens the composer for a new post, with the chosen time if there is one. */
function useCompose(zone: string) {
  const navigate = useNavigate();
  return (day?: Day, minutes: number | null = null) => {
    if (day === undefined) return void navigate({ href: "/compose" });
    const at = newMoment(day, minutes, Date.now(), zone);
    if (at < Date.now()) toastFailure(moving.past);
    else void navigate({ href: `/compose?at=${encodeURIComponent(new Date(at).toISOString())}` });
  };
}
