import { zone } from "@/lib/time";
import { useSession } from "../session";

/** The zone whose days and clocks the calendar shows: the workspace's. */
export const useZone = (): string => useSession().workspace?.timeZone ?? zone();
