import { Link, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { shell } from "@/strings/shell";
import { ErrorState, Page } from "@/ui/page";
import { Brand } from "../auth/frame";
import { told } from "../problem";

/** The interval of automatic retries. */
const AGAIN_MS = 20_000;

/** The replacement of a page whose rendering failed; the frame around it stays. */
export function Broken({ error }: { error: unknown }) {
  const router = useRouter();
  const problem = told(error);
  return (
    <Page title={problem.title}>
      <ErrorState {...problem} onRetry={() => void router.invalidate()} />
    </Page>
  );
}

/** The page if the session could not be loaded: without a frame, but with links. */
export function Unknown({ error }: { error: unknown }) {
  const router = useRouter();
  useEffect(() => {
    const again = () => void router.invalidate();
    const timer = setInterval(again, AGAIN_MS);
    window.addEventListener("online", again);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", again);
    };
  }, [router]);
  return (
    <div>
      <header className="flex flex-wrap items-center gap-x-6 gap-y-2 border-line border-b px-4 py-3 md:px-8">
        <Link to="/">
          <Brand />
        </Link>
        <nav aria-label={shell.nav} className="ml-auto flex gap-4">
          <Link to="/" className="text-accent underline-offset-4 hover:underline">
            {shell.home}
          </Link>
          <Link to="/sign-in" className="text-accent underline-offset-4 hover:underline">
            {shell.signIn}
          </Link>
        </nav>
      </header>
      <main>
        <Broken error={error} />
      </main>
    </div>
  );
}
