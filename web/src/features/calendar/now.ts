import { useEffect, useRef, useState } from "react";
import type { Day } from "@/lib/calendar";
import { wallOf } from "@/lib/zoned";

const TICK_MS = 20_000;

function useTicking<T>(read: () => T): T {
  const [value, setValue] = useState(read);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    const timer = setInterval(() => setValue(latest.current()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return value;
}

/** The current time, updated while the page is open. */
export const useNow = (): number => useTicking(Date.now);

/** The current day; the component renders again only at midnight. */
export const useToday = (zone: string): Day => useTicking(() => wallOf(Date.now(), zone).day);
