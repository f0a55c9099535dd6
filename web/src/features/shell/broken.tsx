import { useRouter } from "@tanstack/react-router";
import { ErrorState, Page } from "@/ui/page";
import { told } from "../problem";

/** What stands where a page broke. */
export function Broken({ error }: { error: unknown }) {
  const router = useRouter();
  const problem = told(error);
  return (
    <Page title={problem.title}>
      <ErrorState {...problem} onRetry={() => void router.invalidate()} />
    </Page>
  );
}
