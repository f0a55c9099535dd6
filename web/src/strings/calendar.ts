/** The calendar. */
const posts = (count: number) => (count === 1 ? "1 post" : `${count} posts`);

export const calendar = {
  title: "Calendar",
  zone: (zone: string) => `Times in ${zone}`,
  view: "View",
  views: { month: "Month", week: "Week", day: "Day", list: "List" },
  today: "Today",
  newPost: "New post",
  newAt: (when: string) => `New post on ${when}`,
  openDay: (day: string, count: number) => `${day}, ${count === 0 ? "no posts" : posts(count)}: open the day`,
  openList: (day: string, count: number) => `${day}, ${count === 0 ? "no posts" : posts(count)}: open the list`,
  previous: { month: "Previous month", week: "Previous week", day: "Previous day", list: "Previous month" },
  next: { month: "Next month", week: "Next week", day: "Next day", list: "Next month" },
  more: (count: number) => `+${count} more`,
  moreOf: (count: number, day: string) => `${posts(count)} more on ${day}: open the day`,
  moreOfList: (count: number, day: string) => `${posts(count)} more on ${day}: open the list`,
  few: (count: number) => `+${count}`,
  dayCount: posts,
  nothing: {
    month: "Nothing in this month.",
    week: "Nothing in this week.",
    day: "Nothing on this day.",
    list: "Nothing in this month.",
  },
  nothingText: "Planned posts appear here. Choose a time to create one.",
  nothingFiltered: "No post matches the filters.",
  clickHint: "Click a time to plan a post.",
  someFailed: "A part of the calendar could not be loaded.",
  loading: "Loading",
  now: "Now",
  allDay: "Hours of the day",
};

/** Notes about clock changes. */
export const clocks = {
  forward: (from: string, to: string) => `Clocks go forward at ${from}: the times until ${to} do not exist.`,
  back: (from: string, to: string) => `Clocks go back at ${from}: the times from ${to} occur twice.`,
  forwardShort: (from: string, to: string) => `${from} – ${to} is skipped`,
  backShort: (to: string, from: string) => `${to} – ${from} occurs twice`,
  gap: (time: string, actual: string) =>
    `${time} does not exist on that day: the clocks go forward. It would be ${actual}.`,
  gapMoved: (time: string) => `${time} does not exist on that day: the clocks go forward.`,
  twice: (time: string) => `${time} occurs twice on that day: the clocks go back. Which one?`,
  twiceMoved: (time: string, offset: string) =>
    `${time} occurs twice on that day; this is the first, ${offset}. “Move to…” offers the second.`,
  first: (offset: string) => `The first, ${offset}`,
  second: (offset: string) => `The second, ${offset}`,
};

/** Moving a post. */
export const moving = {
  hint: "Space picks the post up, the arrows move it, Enter puts it down, Escape puts it back.",
  carried: (what: string) => `Moving: ${what}`,
  keysDays: "Arrows move it by days and weeks.",
  keysTimes: "Arrows move it by days and quarters of an hour.",
  drop: "Put down",
  moved: (when: string) => `It will be published ${when}.`,
  putBack: "It stays where it was.",
  past: "That time has passed. Choose a later one.",
  failed: (why: string) => `It stays where it was. ${why}`,
  stuck: {
    DRAFT: "A draft cannot be dragged: a new time puts it into the queue. Open it to schedule it.",
    QUEUE: "It is being published right now.",
    PUBLISHED: "It is published. Its time stays.",
    ACTION_REQUIRED: "It waits for you. Open it to see what to do.",
    ERROR: "It failed. Open it to schedule it again.",
  },
};

/** The card of a clicked post. */
export const card = {
  label: "Post",
  open: "Open",
  edit: "Edit",
  move: "Move to…",
  schedule: "Schedule…",
  scheduleHint: "With a new time it is queued and published automatically.",
  remove: "Delete",
  time: "Date and time",
  moveAction: "Move",
  scheduleAction: "Schedule",
  timeMissing: "Choose a date and a time.",
  atOnce: (when: string) => `${when}, at once`,
  slides: (count: number) => (count === 1 ? "1 file" : `${count} files`),
};
