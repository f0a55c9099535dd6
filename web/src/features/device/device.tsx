import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { ApiError } from "@/api/client";
import { useFindDevice } from "@/api/queries/device";
import { useMe } from "@/api/queries/session";
import { auth } from "@/strings/auth";
import { deviceWords } from "@/strings/device";
import { Button, buttonClass } from "@/ui/button";
import { Field } from "@/ui/field";
import { AuthFrame } from "../auth/frame";
import { SignedInAs } from "../auth/signed-in-as";
import { FormProblem } from "../problem";
import { Ask, type Decision } from "./ask";

/** The approval of a program: its code, its request, the decision, and the result. */
export function Device({ code }: { code: string }) {
  const find = useFindDevice();
  const [decision, setDecision] = useState<Decision | null>(null);
  const [isFirst, setIsFirst] = useState(true);
  const email = useMe().data?.user.email;
  const who = email && <SignedInAs email={email} />;
  if (decision) return <Decided decision={decision} />;
  if (find.data) {
    const again = () => {
      setIsFirst(false);
      find.reset();
    };
    return <Ask device={find.data} onDecided={setDecision} onAnother={again} below={who} />;
  }
  return <CodeStep find={find} code={isFirst ? code : ""} below={who} />;
}

interface CodeProps {
  find: ReturnType<typeof useFindDevice>;
  /** The code in the address, which is confirmed before it is used. */
  code: string;
  below: ReactNode;
}

function CodeStep({ find, code, below }: CodeProps) {
  const [isMissing, setIsMissing] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("code")).trim();
    setIsMissing(typed === "");
    if (typed !== "") find.mutate(typed);
  };
  // A malformed code is an unknown path.
  const isUnknown = find.error instanceof ApiError && [400, 404, 405].includes(find.error.status);
  const problem = isMissing ? deviceWords.codeMissing : isUnknown ? deviceWords.codeUnknown : undefined;
  return (
    <AuthFrame title={deviceWords.title} intro={code ? deviceWords.isThisIt : deviceWords.intro} below={below}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        {!isUnknown && <FormProblem error={find.error} fields={[]} />}
        <Field
          label={deviceWords.code}
          hint={deviceWords.codeHint}
          problem={problem}
          name="code"
          defaultValue={code}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
        />
        <Button kind="primary" type="submit" busy={find.isPending}>
          {deviceWords.goOn}
        </Button>
      </form>
    </AuthFrame>
  );
}

function Decided({ decision }: { decision: Decision }) {
  const isIn = decision === "approved";
  return (
    <AuthFrame
      follows
      title={isIn ? deviceWords.approvedTitle : deviceWords.deniedTitle}
      below={
        <Link to="/" className="font-medium text-accent underline-offset-4 hover:underline">
          {auth.toHome}
        </Link>
      }
    >
      <p role="status">{isIn ? deviceWords.approvedText : deviceWords.deniedText}</p>
      {isIn && (
        <Link to="/settings/keys" className={buttonClass()}>
          {deviceWords.toKeys}
        </Link>
      )}
    </AuthFrame>
  );
}
