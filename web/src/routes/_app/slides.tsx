import { createFileRoute, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { Studio } from "@/features/slides/studio";

/** The first media. */
const readSearch = ({ add }: Record<string, unknown>): { add?: string } =>
  typeof add === "string" && /^[0-9a-f,-]+$/i.test(add) ? { add } : {};

export const Route = createFileRoute("/_app/slides")({ validateSearch: readSearch, component: Slides });

function Slides() {
  const navigate = useNavigate();
  const onAdded = useCallback(() => void navigate({ to: "/slides", search: {}, replace: true }), [navigate]);
  return <Studio add={Route.useSearch().add ?? ""} onAdded={onAdded} />;
}
