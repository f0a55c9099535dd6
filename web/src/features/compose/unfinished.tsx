import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { relative } from "@/lib/time";
import { keptWords } from "@/strings/compose";
import { Button, buttonClass } from "@/ui/button";
import { toast } from "@/ui/toasts";
import { forget, keep, kept } from "./keep";

const FEW = 3;

/** Compositions that are only in this browser, so that none is forgotten. */
export function Unfinished({ except }: { except: string }) {
  const look = () => kept().filter((doc) => doc.key !== except && doc.unsaved && (doc.content || doc.media.length > 0));
  const [found, setFound] = useState(look);
  if (found.length === 0) return null;
  const drop = (doc: (typeof found)[number]) => {
    forget(doc.key);
    setFound(look());
    toast(keptWords.dropped, () => {
      keep(doc);
      setFound(look());
    });
  };
  return (
    <section aria-label={keptWords.unfinishedTitle} className="mb-8 grid gap-2 rounded-xl bg-sunken px-4 py-3">
      <h2 className="font-medium">{keptWords.unfinishedTitle}</h2>
      <ul className="grid gap-2">
        {found.slice(0, FEW).map((doc) => (
          <li key={doc.key} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-40 flex-1 truncate">
              {doc.content || keptWords.noText}{" "}
              <span className="text-soft">· {relative(new Date(doc.changedAt).toISOString(), new Date())}</span>
            </span>
            <Button size="small" kind="ghost" onClick={() => drop(doc)}>
              {keptWords.drop}
            </Button>
            <Link to="/compose" search={{ draft: doc.key }} className={buttonClass("secondary", "small")}>
              {keptWords.goOn}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
