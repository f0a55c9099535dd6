import { securityWords } from "@/strings/security";
import { Page } from "@/ui/page";
import { useSession } from "../session";
import { Activity } from "./activity";
import { Factor } from "./factor";
import { Password } from "./password";
import { Sessions } from "./sessions";

/** The user's credentials and sessions. */
export function Security() {
  const { me } = useSession();
  if (!me) return null;
  return (
    <Page title={securityWords.title} intro={securityWords.intro}>
      <Password email={me.user.email} withCode={me.secondFactor} />
      <Factor me={me} />
      <Sessions />
      <Activity />
    </Page>
  );
}
