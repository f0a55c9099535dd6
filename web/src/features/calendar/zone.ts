import { zone } from "@/lib/time";
import { useSession } from "../session";

/** The zone of the calendar's days and times: the workspace's. */
export const useZone = (): string => useSession().workspace?.timeZone ?? zone();
