/** The pages of the navigation, the palette and the shortcuts. A new page is added here. */
import {
  CalendarDays,
  GalleryHorizontalEnd,
  House,
  Images,
  type LucideIcon,
  PencilLine,
  Settings,
  SquarePlay,
  UsersRound,
} from "lucide-react";
import { shell } from "@/strings/shell";

interface PageLink {
  to: "/" | "/calendar" | "/compose" | "/posts" | "/media" | "/slides" | "/accounts" | "/settings/profile";
  /** The path prefix under which it is current. */
  under: string;
  label: string;
  icon: LucideIcon;
  shortcut: string;
  help: string;
}

/** In display order. */
export const PAGES: readonly PageLink[] = [
  { to: "/", under: "/", label: shell.home, icon: House, shortcut: "g h", help: shell.keys.home },
  {
    to: "/compose",
    under: "/compose",
    label: shell.compose,
    icon: PencilLine,
    shortcut: "c",
    help: shell.keys.compose,
  },
  {
    to: "/calendar",
    under: "/calendar",
    label: shell.calendar,
    icon: CalendarDays,
    shortcut: "g c",
    help: shell.keys.calendar,
  },
  { to: "/posts", under: "/posts", label: shell.posts, icon: SquarePlay, shortcut: "g p", help: shell.keys.posts },
  { to: "/media", under: "/media", label: shell.media, icon: Images, shortcut: "g m", help: shell.keys.media },
  {
    to: "/slides",
    under: "/slides",
    label: shell.slides,
    icon: GalleryHorizontalEnd,
    shortcut: "g l",
    help: shell.keys.slides,
  },
  {
    to: "/accounts",
    under: "/accounts",
    label: shell.accounts,
    icon: UsersRound,
    shortcut: "g a",
    help: shell.keys.accounts,
  },
  {
    to: "/settings/profile",
    under: "/settings",
    label: shell.settings,
    icon: Settings,
    shortcut: "g s",
    help: shell.keys.settings,
  },
];

/** Whether a path is that of a page, or below it. */
export const isUnder = (path: string, under: string): boolean =>
  under === "/" ? path === "/" : path === under || path.startsWith(`${under}/`);
