import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

/** A menu behind a button. It is not modal: the page beside it stays usable. */
export function Menu({
  trigger,
  children,
  align = "end",
}: {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          className="rises z-40 min-w-52 max-w-72 rounded-xl border border-line bg-surface p-1 text-ink shadow-raised"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const ITEM =
  "flex min-h-8 cursor-pointer select-none items-center gap-2.5 rounded-lg px-2.5 py-1.5 outline-none data-[highlighted]:bg-hover data-[disabled]:opacity-55";

interface ItemProps {
  onSelect: () => void;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

/** One action. */
export function MenuItem({ onSelect, icon, danger = false, disabled = false, children }: ItemProps) {
  return (
    <DropdownMenu.Item onSelect={onSelect} disabled={disabled} className={`${ITEM} ${danger ? "text-bad" : ""}`}>
      {icon && <span className={`[&>svg]:size-4 ${danger ? "" : "text-soft"}`}>{icon}</span>}
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </DropdownMenu.Item>
  );
}

/** One of several options, of which one is chosen. */
export function MenuChoice({
  chosen,
  onSelect,
  children,
}: {
  chosen: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.CheckboxItem checked={chosen} onSelect={onSelect} className={ITEM}>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <DropdownMenu.ItemIndicator aria-hidden className="text-accent">
        ✓
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  );
}

/** The heading of the next options. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2.5 pt-2 pb-1 text-soft text-xs">{children}</DropdownMenu.Label>;
}

/** A line between groups. */
export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />;
