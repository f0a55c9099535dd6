import { useUsage } from "@/api/queries/workspace";
import { bytes } from "@/lib/amount";
import { planWords } from "@/strings/settings";
import { Page } from "@/ui/page";
import { Fact, Facts } from "@/ui/parts";
import { Loaded } from "../problem";
import { UsageMeters } from "./meters";

/** The plan's limits, and the workspace's usage. */
export function Plan() {
  const usage = useUsage();
  return (
    <Page title={planWords.title} intro={usage.data && planWords.intro(usage.data.plan)}>
      <Loaded query={usage}>
        {(usage) => (
          <div className="grid max-w-md gap-8">
            <UsageMeters usage={usage} />
            <Facts>
              <Fact name={planWords.largest}>
                {usage.maxVideoBytes === null ? planWords.noLimit : bytes(usage.maxVideoBytes)}
              </Fact>
            </Facts>
            <p className="text-soft">{planWords.month(utcDay(usage.month.start), utcDay(usage.month.resetsAt))}</p>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const dayFormat = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });
const utcDay = (moment: string): string => dayFormat.format(new Date(moment));
