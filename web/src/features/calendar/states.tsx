import { CalendarDays } from "lucide-react";
import { calendar } from "@/strings/calendar";
import { postWords } from "@/strings/posts";
import { ui } from "@/strings/ui";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/page";
import { Notice } from "@/ui/parts";
import { sentence } from "../problem";

/** A part of the posts could not be loaded; the rest is shown. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="mb-4">
      <Notice tone="bad" role="alert">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>
            {calendar.someFailed} {sentence(error)}
          </p>
          <Button size="small" onClick={onRetry}>
            {ui.tryAgain}
          </Button>
        </div>
      </Notice>
    </div>
  );
}

interface NothingProps {
  text: string;
  isFiltered: boolean;
  onClear: () => void;
  onNew: () => void;
}

/** The placeholder of an empty list. */
export function Nothing({ text, isFiltered, onClear, onNew }: NothingProps) {
  return (
    <EmptyState
      icon={CalendarDays}
      title={isFiltered ? calendar.nothingFiltered : text}
      action={
        isFiltered ? (
          <Button onClick={onClear}>{postWords.clear}</Button>
        ) : (
          <Button kind="primary" onClick={onNew}>
            {calendar.newPost}
          </Button>
        )
      }
    >
      {isFiltered ? postWords.nothingText : calendar.nothingText}
    </EmptyState>
  );
}
