import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useUsage } from "@/api/queries/workspace";
import { home } from "@/strings/home";
import { Button, buttonClass } from "@/ui/button";
import { Section } from "@/ui/page";
import { ConnectDialog } from "../accounts/connect";

/** The steps from an empty workspace to the first post: the next step has the primary button. */
export function FirstSteps({ hasAccount }: { hasAccount: boolean }) {
  const [connecting, setConnecting] = useState(false);
  const hasMedia = (useUsage().data?.storage.usedBytes ?? 0) > 0;
  const { connect, upload, publish } = home.steps;
  return (
    <div>
      <Section title={home.startTitle}>
        <ol className="divide-y divide-line rounded-xl border border-line bg-surface">
          <Step number={1} {...connect} isDone={hasAccount}>
            <Button kind="primary" onClick={() => setConnecting(true)}>
              {connect.action}
            </Button>
          </Step>
          <Step number={2} title={upload.title} text={upload.text} isDone={hasMedia}>
            <div className="flex flex-wrap gap-2">
              <Link to="/media" className={buttonClass(hasAccount ? "primary" : "secondary")}>
                {upload.action}
              </Link>
              <Link to="/slides" className={buttonClass()}>
                {upload.caption}
              </Link>
            </div>
          </Step>
          <Step number={3} {...publish} isDone={false}>
            <Link to="/compose" className={buttonClass(hasAccount && hasMedia ? "primary" : "secondary")}>
              {publish.action}
            </Link>
          </Step>
        </ol>
      </Section>
      <p className="mt-4 text-soft">
        {home.orByKey}{" "}
        <Link to="/settings/keys" className="font-medium text-accent underline underline-offset-4">
          {home.toKeys}
        </Link>
      </p>
      <ConnectDialog open={connecting} onClose={() => setConnecting(false)} />
    </div>
  );
}

interface StepProps {
  number: number;
  title: string;
  text: string;
  isDone: boolean;
  children: ReactNode;
}

function Step({ number, title, text, isDone, children }: StepProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-5">
      <span
        aria-hidden
        className={`flex size-8 shrink-0 items-center justify-center rounded-full font-semibold ${isDone ? "bg-good-soft text-good" : "bg-accent-soft text-accent"}`}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <div className="min-w-48 flex-1">
        <p className={`font-medium ${isDone ? "text-soft" : ""}`}>{title}</p>
        <p className="text-soft">{text}</p>
      </div>
      {isDone ? <span className="font-medium text-good">{home.done}</span> : children}
    </li>
  );
}
