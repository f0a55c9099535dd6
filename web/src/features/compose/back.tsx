import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { composeWords } from "@/strings/compose";

/** The link from the composer back to the post. */
export const back = (
  <Link to="/posts" className="inline-flex items-center gap-1.5 rounded text-soft hover:text-ink">
    <ArrowLeft aria-hidden className="size-4" />
    {composeWords.back}
  </Link>
);
