// Optional: adds the theme chosen in the dashboard, a search over all pages, buttons that copy, and one choice of the language for all samples.
const chosen = localStorage.getItem("playout.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;

/** Where the browser keeps the language of the samples. */
const LANGUAGE = "playout.language";
const MOST = 40;
/** How many characters of a text a result of the search shows, and how many of those before what was found. */
const EXCERPT = { length: 110, before: 30 };

/** An entry of a page: where it is, what its link shows, the words of its title, and all of its text. */
const entry = (href, link, title, text) => ({ href, link, title: title.toLowerCase(), text });

/** The operations, objects and error codes of the reference, which is at this path. */
function entriesOfReference(root, path) {
  const articles = [...root.querySelectorAll("article[id]")].map((article) => {
    const title = article.querySelector("h3").textContent;
    const method = article.querySelector(".route .method");
    const route = article.querySelector(".route code")?.textContent ?? "";
    const link = [...(method ? [method.cloneNode(true)] : []), title];
    const words = `${title} ${route} ${article.id} ${method?.textContent ?? ""}`;
    return entry(`${path}#${article.id}`, link, words, article.querySelector(".prose")?.textContent ?? article.textContent);
  });
  const errors = [...root.querySelectorAll("tr[id]")].map((row) => {
    const [code, status] = row.cells;
    const words = `${code.textContent} ${status.textContent} error`;
    return entry(`${path}#${row.id}`, [code.textContent], words, row.textContent);
  });
  return [...articles, ...errors];
}

/** The sections of a guide, which is at this path: each has the text up to the next heading. */
function entriesOfGuide(root, path) {
  const guide = root.querySelector("h1").textContent;
  const found = [];
  for (const element of root.querySelector("main.guide").children) {
    if (element.matches("footer")) continue;
    if (element.matches("h1, h2, h3")) {
      const title = element.matches("h1") ? guide : `${guide}: ${element.textContent}`;
      found.push(entry(element.id ? `${path}#${element.id}` : path, [title], title, ""));
    } else {
      const last = found.at(-1);
      if (last) last.text += ` ${element.textContent}`;
    }
  }
  return found;
}

const entriesOf = (root, path) =>
  root.querySelector("main.guide") ? entriesOfGuide(root, path) : entriesOfReference(root, path);

/** The entries of the other pages that the contents of this one link to. A page that cannot be read has none. */
async function entriesElsewhere() {
  const links = [...document.querySelectorAll("body > nav a[href^='/docs']")];
  const paths = new Set(links.map((link) => link.pathname));
  paths.delete(location.pathname);
  const read = async (path) => {
    const response = await fetch(path);
    if (!response.ok) return [];
    const root = new DOMParser().parseFromString(await response.text(), "text/html");
    return entriesOf(root, path);
  };
  const pages = await Promise.all([...paths].map((path) => read(path).catch(() => [])));
  return pages.flat();
}

/** Words that readers look for, and what these pages have instead. */
const ALSO = {
  cancel: ["unschedule", "take it back"],
  carousel: ["slideshow"],
  localhost: ["playout_egress_allow"],
  lost: ["cut", "network_error"],
  pagination: ["cursor"],
  paging: ["cursor"],
  retry: ["send it again", "sent again"],
  thumbnail: ["cover", "preview"],
};

/** What finds a word or one of those in [`ALSO`]. */
function finderOf(word) {
  const finders = [word, ...(ALSO[word] ?? [])].map(finder);
  return (text) => finders.map((find) => find(text)).find((at) => at >= 0) ?? -1;
}

/** What finds a word, also where it is written in two: "timezone" finds "time zone", and "dryrun" and "dry-run" find each other. */
function finder(word) {
  const letters = [...word.replace(/[^\p{L}\p{N}]/gu, "")];
  const spread = letters.length > 2 && new RegExp(`(?<![\\p{L}\\p{N}])${letters.join("[\\s_-]?")}`, "u");
  return (text) => {
    const at = text.indexOf(word);
    return at < 0 && spread ? text.search(spread) : at;
  };
}

/** Where an entry comes among equal ones: guides, then operations, then commands of the client, the simulator and the changelog. */
function place({ href }) {
  if (/^\/docs\/(commands|simulator|changelog)\b/.test(href)) return 0.5;
  return /^\/docs(#|$)/.test(href) ? 0.25 : 0;
}

/** The entries that contain all words: first those whose title begins with the first word, then those with all in the title. */
function matching(all, finders) {
  const rank = ({ title, text }) => {
    const places = finders.map((find) => find(title));
    if (places.every((place) => place >= 0)) return places[0] === 0 ? 0 : 1;
    const lower = text.toLowerCase();
    return finders.every((find, index) => places[index] >= 0 || find(lower) >= 0) ? 2 : 3;
  };
  const ranked = all.map((found) => [rank(found) + place(found), found]).filter(([rank]) => rank < 3);
  return ranked.sort(([one], [other]) => one - other).map(([, found]) => found);
}

/** The part of a text that has the first of the words that the title lacks; nothing if it lacks none. */
function excerpt({ title, text }, finders) {
  const missing = finders.find((find) => find(title) < 0);
  const plain = text.replace(/\s+/g, " ").trim();
  const at = missing ? missing(plain.toLowerCase()) : -1;
  if (at < 0) return "";
  const start = plain.lastIndexOf(" ", Math.max(0, at - EXCERPT.before)) + 1;
  const end = start + EXCERPT.length;
  return `${start > 0 ? "… " : ""}${plain.slice(start, end)}${end < plain.length ? "…" : ""}`;
}

function listed(found, finders) {
  const { href, link } = found;
  const anchor = document.createElement("a");
  anchor.href = href;
  anchor.append(...link.map((part) => part.cloneNode?.(true) ?? part));
  const item = document.createElement("li");
  item.append(anchor);
  const text = excerpt(found, finders);
  if (text) {
    const small = document.createElement("small");
    small.textContent = text;
    item.append(small);
  }
  return item;
}

/** A button at each block of code, where the browser lets a page copy. Of several languages the shown one is copied. */
function addCopyButtons() {
  if (!navigator.clipboard) return;
  for (const pre of document.querySelectorAll("pre:not(.answer)")) {
    const samples = pre.closest(".tabs") ?? pre;
    if (samples.parentElement.matches(".block")) continue;
    const block = document.createElement("div");
    block.className = "block";
    samples.replaceWith(block);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const shown = [...block.querySelectorAll("pre")].find((one) => one.offsetParent !== null);
      await navigator.clipboard.writeText(shown.textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2_000);
    });
    block.append(samples, button);
  }
}

/** Shows all samples that there are in a language in it. */
function showLanguage(language) {
  for (const input of document.querySelectorAll(`.tabs input[value="${CSS.escape(language)}"]`)) input.checked = true;
}

/** The language that is chosen for one sample is chosen for all, also those of other pages. */
function chooseLanguage({ target }) {
  if (!target.matches(".tabs input")) return;
  const before = target.getBoundingClientRect().top;
  showLanguage(target.value);
  localStorage.setItem(LANGUAGE, target.value);
  // Samples above have another height now: what was clicked stays where it was.
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: "instant" });
}

document.addEventListener("change", chooseLanguage);

document.addEventListener("DOMContentLoaded", () => {
  showLanguage(localStorage.getItem(LANGUAGE) ?? "");
  addCopyButtons();
  const form = document.querySelector("form[role=search]");
  if (!form) return;
  const input = form.querySelector("input");
  const contents = document.querySelector("#contents");
  const list = document.querySelector("#found");
  const count = document.querySelector("#count");
  let all = entriesOf(document, location.pathname);
  let elsewhere = null;
  form.hidden = false;

  function show() {
    const finders = input.value.toLowerCase().split(/\s+/).filter(Boolean).map(finderOf);
    const isSearching = finders.length > 0;
    const found = isSearching ? matching(all, finders) : [];
    list.replaceChildren(...found.slice(0, MOST).map((one) => listed(one, finders)));
    list.hidden = found.length === 0;
    contents.hidden = isSearching;
    count.textContent = isSearching ? `${found.length} found` : "";
  }

  /** The other pages are read once somebody wants to search. */
  async function read() {
    if (elsewhere) return;
    elsewhere = entriesElsewhere();
    all = [...all, ...(await elsewhere)];
    show();
  }

  input.addEventListener("focus", read);
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches?.("input, textarea, select");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.select();
    }
    if (event.key === "Escape" && document.activeElement === input) {
      input.value = "";
      show();
    }
  });
});
