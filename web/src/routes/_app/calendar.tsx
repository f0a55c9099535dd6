import { createFileRoute, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { Calendar } from "@/features/calendar/calendar";
import { type CalendarSearch, readCalendar } from "@/features/calendar/search";

export const Route = createFileRoute("/_app/calendar")({ validateSearch: readCalendar, component: CalendarPage });

function CalendarPage() {
  const navigate = useNavigate();
  const onSearch = useCallback(
    (search: CalendarSearch) => void navigate({ to: "/calendar", search, resetScroll: false }),
    [navigate],
  );
  return <Calendar search={Route.useSearch()} onSearch={onSearch} />;
}
