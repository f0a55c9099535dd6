/** The calendar: moving posts in every way, what may not move, and clock changes. */
import type { Locator, Page } from "@playwright/test";
import { addDays, addMonths, monthStart, weekStart } from "../src/lib/calendar";
import { dayName, monthName } from "../src/lib/dates";
import { startOf } from "../src/lib/zoned";
import { violations } from "./inspect";
import { call, connect, expect, post, signUp, test } from "./world";

const ZONE = "Europe/Berlin";
const HOUR = 3_600_000;
const today = new Date().toISOString().slice(0, 10);
/** A week in the month after the next: nothing of it is over, and no clock is changed while it lasts. */
const month = addMonths(monthStart(today), 2);
const monday = addDays(weekStart(addDays(month, 7), 0), 1);
const tuesday = addDays(monday, 1);

/** The moment when clocks in Berlin show a full or a half hour of a day without a clock change. */
const berlin = (day: string, hours: number) => new Date(startOf(day, ZONE) + hours * HOUR).toISOString();

/** The last Sunday of a month that is still to come: the days on which Berlin's clocks are changed. */
function nextChange(monthNumber: number): string {
  const year = Number(today.slice(0, 4));
  const of = (year: number) => weekStart(new Date(Date.UTC(year, monthNumber, 0)).toISOString().slice(0, 10), 0);
  return of(year) > addDays(today, 10) ? of(year) : of(year + 1);
}

const schedule = (page: Page, content: string, scheduledFor: string) =>
  post(page, content, { mode: "schedule", scheduledFor });

async function timeOf(page: Page, id: string): Promise<string> {
  const group = await call<{ root: { scheduledFor: string } }>(page, "GET", `/app/v1/posts/${id}`);
  return new Date(group.root.scheduledFor).toISOString();
}

const chip = (page: Page, content: string) => page.getByRole("grid").getByRole("button", { name: content });
const cell = (page: Page, day: string) => page.locator(`[data-day="${day}"]`);

/** Drags with a mouse, from the middle of one thing to a place. */
async function drag(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  const box = await from.boundingBox();
  if (!box) throw new Error("nothing to drag");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 12 });
  await page.mouse.up();
}

async function middleOf(place: Locator): Promise<{ x: number; y: number }> {
  const box = await place.boundingBox();
  if (!box) throw new Error("it is not on the page");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test.beforeEach(async ({ page }) => {
  await signUp(page);
  await connect(page);
});

test("a post is dragged to another day, keeps its time, and goes back by undo", async ({ page }) => {
  const before = berlin(monday, 10.5);
  const id = await schedule(page, "Low tide", before);
  await page.goto(`/calendar?date=${monday}`);
  await expect(page.getByText(`Times in ${ZONE}`)).toBeVisible();
  await drag(page, chip(page, "Low tide"), await middleOf(cell(page, addDays(monday, 9))));
  await expect(page.getByText("It will be published")).toBeVisible();
  await expect(cell(page, addDays(monday, 9)).getByRole("button", { name: "Low tide" })).toBeFocused();
  expect(await timeOf(page, id)).toBe(berlin(addDays(monday, 9), 10.5));
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(cell(page, monday).getByRole("button", { name: "Low tide" })).toBeVisible();
  await expect.poll(() => timeOf(page, id)).toBe(before);
});

test("in a week a post is dragged to another time, and Escape leaves it where it is", async ({ page }) => {
  const id = await schedule(page, "High tide", berlin(monday, 10.5));
  await page.goto(`/calendar?view=week&date=${monday}`);
  const from = await middleOf(chip(page, "High tide"));
  const hour = ((await cell(page, monday).boundingBox())?.height ?? 0) / 24;
  const { x } = await middleOf(cell(page, tuesday));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(x, from.y + 2 * hour, { steps: 8 });
  await expect(page.locator("[data-target]")).toHaveText(/12:30/);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect(page.locator("[data-target]")).toBeHidden();
  expect(await timeOf(page, id)).toBe(berlin(monday, 10.5));
  await drag(page, chip(page, "High tide"), { x, y: from.y + 2 * hour });
  await expect(page.getByText("It will be published")).toBeVisible();
  expect(await timeOf(page, id)).toBe(berlin(tuesday, 12.5));
});

test("the keyboard picks a post up, moves it and puts it down", async ({ page }) => {
  const id = await schedule(page, "Slack water", berlin(monday, 10.5));
  await page.goto(`/calendar?date=${monday}`);
  await expect(chip(page, "Slack water")).toBeVisible();
  // One place of the grid is reached with Tab; the arrows lead to the post.
  await page.getByRole("grid").locator('[data-stop][tabindex="0"]').focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(chip(page, "Slack water")).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("status").filter({ hasText: dayName(tuesday) })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chip(page, "Slack water")).toBeFocused();
  expect(await timeOf(page, id)).toBe(berlin(monday, 10.5));
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => timeOf(page, id)).toBe(berlin(addDays(tuesday, 7), 10.5));
  await expect(chip(page, "Slack water")).toBeFocused();
  // In a week it goes by quarters of an hour, and over the edge of the week.
  await page.keyboard.press("w");
  await chip(page, "Slack water").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  for (let day = 0; day < 7; day += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await expect.poll(() => timeOf(page, id)).toBe(berlin(addDays(tuesday, 14), 10.75));
});

test("what may not move says why, and stays", async ({ page }) => {
  const id = await post(page, "An idea", { mode: "draft", scheduledFor: berlin(monday, 10) });
  await page.goto(`/calendar?date=${monday}`);
  await drag(page, chip(page, "An idea"), await middleOf(cell(page, tuesday)));
  await expect(page.getByText("A draft cannot be dragged")).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await chip(page, "An idea").focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("A draft cannot be dragged")).toBeVisible();
  expect(await timeOf(page, id)).toBe(berlin(monday, 10));
});

test("a move that the service refuses goes back and says why", async ({ page }) => {
  const id = await schedule(page, "Ebb", berlin(monday, 10));
  await page.goto(`/calendar?date=${monday}`);
  await expect(chip(page, "Ebb")).toBeVisible();
  await page.route("**/app/v1/posts/*/schedule", (route) =>
    route.fulfill({
      status: 409,
      json: { code: "post_not_reschedulable", message: "The post is being handed to the provider right now." },
    }),
  );
  await drag(page, chip(page, "Ebb"), await middleOf(cell(page, tuesday)));
  await expect(page.getByText("It stays where it was. The post is being handed to the provider")).toBeVisible();
  await expect(cell(page, monday).getByRole("button", { name: "Ebb" })).toBeFocused();
  expect(await timeOf(page, id)).toBe(berlin(monday, 10));
});

test("nothing moves into the past", async ({ page }) => {
  const id = await schedule(page, "Flood", berlin(monday, 10));
  await page.goto(`/calendar?view=list&date=${monday}`);
  await expect(page.getByRole("button", { name: "Flood" })).toBeVisible();
  const before = await timeOf(page, id);
  await page.getByRole("button", { name: "Flood" }).click();
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${addDays(today, -3)}T10:00`);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText("That time has passed")).toBeVisible();
  expect(await timeOf(page, id)).toBe(before);
});

test("a time that the clocks skip is explained, and is the one after it", async ({ page }) => {
  const change = nextChange(3);
  const id = await schedule(page, "Night ferry", berlin(addDays(change, -1), 2.5));
  await page.goto(`/calendar?date=${change}`);
  await expect(cell(page, change).getByText("Clocks go forward at 2:00 AM")).toBeAttached();
  await drag(page, chip(page, "Night ferry"), await middleOf(cell(page, change)));
  await expect(page.getByText("2:30 AM does not exist on that day")).toBeVisible();
  expect(await timeOf(page, id)).toBe(`${change}T01:30:00.000Z`);
  await expect(chip(page, "Night ferry")).toContainText("3:30 AM");
});

test("of a time that comes twice the second can be chosen", async ({ page }) => {
  const change = nextChange(10);
  const id = await schedule(page, "Night ferry", berlin(addDays(change, -1), 2.5));
  await page.goto(`/calendar?date=${change}`);
  await chip(page, "Night ferry").click();
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${change}T02:30`);
  await expect(page.getByText("2:30 AM occurs twice on that day")).toBeVisible();
  await page.getByLabel("The second, GMT+1").check();
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect.poll(() => timeOf(page, id)).toBe(`${change}T01:30:00.000Z`);
  await expect(chip(page, "Night ferry")).toContainText("2:30 AM GMT+1");
});

test("an empty place leads to a new post at its time", async ({ page }) => {
  await page.goto(`/calendar?view=week&date=${monday}`);
  const column = cell(page, monday);
  const box = await column.boundingBox();
  await column.click({ position: { x: 20, y: ((box?.height ?? 0) * 15.2) / 24 } });
  await page.waitForURL(/\/compose/);
  expect(new URL(page.url()).searchParams.get("at")).toBe(berlin(monday, 15));
  await page.goBack();
  await page.keyboard.press("m");
  await page.getByRole("button", { name: `New post on ${dayName(tuesday)}` }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/compose/);
  expect(new URL(page.url()).searchParams.get("at")).toBe(berlin(tuesday, 9));
});

test("the address keeps the view, the date and the filters, and the keys change them", async ({ page }) => {
  await schedule(page, "Spring tide", berlin(monday, 10));
  await post(page, "Neap tide", { mode: "draft", scheduledFor: berlin(monday, 11) });
  await page.goto(`/calendar?date=${monday}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Calendar: ${monthName(monday)}`);
  await expect(chip(page, "Neap tide")).toBeVisible();
  await page.getByLabel("State").selectOption("QUEUE");
  await expect(chip(page, "Neap tide")).toBeHidden();
  await page.getByRole("heading", { level: 1 }).click();
  for (const [key, view] of [
    ["w", "week"],
    ["d", "day"],
    ["l", "list"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`view=${view}`));
    await expect(page.getByRole("button", { name: "Spring tide" })).toBeVisible();
  }
  await page.reload();
  await expect(page.getByRole("button", { name: "Spring tide" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Neap tide" })).toBeHidden();
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Calendar: ${monthName(addMonths(monday, 1))}`);
  await page.keyboard.press("t");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Calendar: ${monthName(today)}`);
  await page.goBack();
  await page.goBack();
  await expect(chip(page, "Spring tide")).toBeVisible();
});

test("a day with many posts leads to all of them, and one is deleted from its card", async ({ page }) => {
  await Promise.all(
    Array.from({ length: 14 }, (_, index) => schedule(page, `Wave ${index + 1} of 14`, berlin(monday, 10))),
  );
  await page.goto(`/calendar?date=${monday}`);
  await cell(page, monday)
    .getByRole("button", { name: /posts more on/ })
    .click();
  await expect(page).toHaveURL(/view=day/);
  await expect(page.getByRole("button", { name: /14 posts: open the list/ })).toBeFocused();
  await page.keyboard.press("l");
  await expect(page.getByRole("button", { name: /Wave \d+ of 14/ })).toHaveCount(14);
  await page.getByRole("button", { name: "Wave 7 of 14" }).click();
  const card = page.getByRole("dialog", { name: "Post" });
  await expect(card).toContainText("It is published automatically.");
  await expect(card).toContainText("Kite Studio");
  await expect(card.getByRole("img")).toBeVisible();
  expect(await violations(page, "[role=dialog]")).toEqual([]);
  await card.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("dialog")).toContainText("Wave 7 of 14");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Wave 7 of 14" })).toBeFocused();
  await page.keyboard.press("Enter");
  await card.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("button", { name: "Wave 7 of 14" })).toBeHidden();
});

test("a phone has the list, and a finger that rests on a post drags it on a tablet", async ({ browser, page }) => {
  const id = await schedule(page, "Swell", berlin(monday, 10));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/calendar?date=${monday}`);
  await expect(page.getByRole("heading", { level: 2, name: dayName(monday) })).toBeVisible();
  await expect(page.getByRole("grid")).toHaveCount(0);
  const state = await page.context().storageState();
  const tablet = await browser.newContext({
    hasTouch: true,
    viewport: { width: 1024, height: 768 },
    baseURL: new URL(page.url()).origin,
    storageState: state,
    timezoneId: ZONE,
    locale: "en-US",
  });
  const tab = await tablet.newPage();
  await tab.goto(`/calendar?date=${monday}`);
  const from = await middleOf(chip(tab, "Swell"));
  const to = await middleOf(cell(tab, tuesday));
  const touch = await tablet.newCDPSession(tab);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await send("touchStart", [from]);
  await expect(chip(tab, "Swell")).toHaveAttribute("data-lifted", "");
  await send("touchMove", [{ x: (from.x + to.x) / 2, y: from.y }]);
  await send("touchMove", [to]);
  await send("touchEnd", []);
  await expect.poll(() => timeOf(page, id)).toBe(berlin(tuesday, 10));
  await tablet.close();
});
