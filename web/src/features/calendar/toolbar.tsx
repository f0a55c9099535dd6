import { ChevronLeft, ChevronRight, Plus } from "lucide-react";
import { usePlatforms } from "@/api/queries/platforms";
import { calendar } from "@/strings/calendar";
import { postWords } from "@/strings/posts";
import { Button, IconButton } from "@/ui/button";
import { SmallSelect } from "@/ui/field";
import { nameOf } from "../accounts/names";
import { STATES } from "../posts/state";
import { type CalendarSearch, readCalendar, VIEWS, type View } from "./search";

interface Props {
  title: string;
  /** A note, or empty. */
  note: string;
  zone: string;
  view: View;
  search: CalendarSearch;
  onSearch: (search: CalendarSearch) => void;
  onView: (view: View) => void;
  onToday: () => void;
  onStep: (direction: 1 | -1) => void;
  /** Called when a step is about to be used, to prefetch its posts. */
  onNear: (direction: 1 | -1) => void;
  onNew: () => void;
}

/** The shown period, and the controls for period, view and filter. */
export function Toolbar(props: Props) {
  const { title, note, zone, view, search, onSearch, onView, onToday, onStep, onNear, onNew } = props;
  return (
    <header className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 max-lg:gap-x-2">
      <div className="min-w-0 flex-1 basis-48 max-lg:basis-[calc(100%-9rem)]">
        <h1 aria-live="polite" className="font-semibold text-xl leading-7 tracking-tight">
          <span className="sr-only">{`${calendar.title}: `}</span>
          {title}
        </h1>
        <p className="truncate text-soft">
          {calendar.zone(zone)}
          <span role="status">{note && ` · ${note}`}</span>
        </p>
      </div>
      <div className="flex items-center gap-1 max-lg:order-2">
        <IconButton
          label={calendar.previous[view]}
          onClick={() => onStep(-1)}
          onPointerEnter={() => onNear(-1)}
          onFocus={() => onNear(-1)}
        >
          <ChevronLeft aria-hidden className="size-4" />
        </IconButton>
        <Button size="small" onClick={onToday} aria-keyshortcuts="t" title={`${calendar.today} (T)`}>
          {calendar.today}
        </Button>
        <IconButton
          label={calendar.next[view]}
          onClick={() => onStep(1)}
          onPointerEnter={() => onNear(1)}
          onFocus={() => onNear(1)}
        >
          <ChevronRight aria-hidden className="size-4" />
        </IconButton>
      </div>
      <Filters search={search} onSearch={onSearch} />
      <Views view={view} onView={onView} />
      <Button size="small" kind="primary" onClick={onNew} className="max-lg:order-1">
        <Plus aria-hidden className="size-4" />
        {calendar.newPost}
      </Button>
    </header>
  );
}

function Views({ view, onView }: { view: View; onView: (view: View) => void }) {
  return (
    <fieldset className="flex rounded-lg bg-sunken p-0.5 max-lg:order-2 max-md:hidden">
      <legend className="sr-only">{calendar.view}</legend>
      {VIEWS.map(({ view: one, key }) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === view}
          aria-keyshortcuts={key}
          title={`${calendar.views[one]} (${key.toUpperCase()})`}
          onClick={() => onView(one)}
          className="h-7 rounded-md px-2.5 font-medium text-[0.8125rem] text-soft transition-colors hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-sm"
        >
          {calendar.views[one]}
        </button>
      ))}
    </fieldset>
  );
}

function Filters({ search, onSearch }: { search: CalendarSearch; onSearch: (search: CalendarSearch) => void }) {
  const platforms = usePlatforms().data?.platforms ?? [];
  const choose = (name: "state" | "account", value: string) => onSearch(readCalendar({ ...search, [name]: value }));
  return (
    <search className="flex min-w-0 gap-2 max-lg:order-2 max-md:flex-1 md:max-lg:mr-auto">
      <SmallSelect
        label={postWords.state}
        className="min-w-0 max-md:flex-1 md:max-lg:w-[5.75rem]"
        value={search.state ?? ""}
        onChange={(event) => choose("state", event.target.value)}
      >
        <option value="">{postWords.allStates}</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {postWords.states[state]}
          </option>
        ))}
      </SmallSelect>
      <SmallSelect
        label={postWords.account}
        className="min-w-0 max-w-40 max-md:max-w-none max-md:flex-1 md:max-lg:w-[5.75rem]"
        value={search.account ?? ""}
        onChange={(event) => choose("account", event.target.value)}
      >
        <option value="">{postWords.allAccounts}</option>
        {platforms.map((platform) => (
          <option key={platform.id} value={platform.id}>
            {nameOf(platform)}
          </option>
        ))}
      </SmallSelect>
    </search>
  );
}
