// Optional: adds the theme chosen in the dashboard, a search over all pages, buttons that copy, and one choice of the language for all samples
// of a page.
const chosen = localStorage.getItem("playout.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;

const MOST = 40;

/** An entry of a page: where it is, what its link shows, the words of its title, and all of its text. */
const entry = (href, link, title, text) => ({ href, link, title: title.toLowerCase(), text: text.toLowerCase() });

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
      if (last) last.text += ` ${element.textContent.toLowerCase()}`;
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
    const root = new DOMParser().parseFromString(await response.text(), "text/html");
    return entriesOf(root, path);
  };
  const pages = await Promise.all([...paths].map((path) => read(path).catch(() => [])));
  return pages.flat();
}

/** The entries that contain all words: first those whose title begins with the first word, then those with all in the title. */
function matching(all, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ title, text }) => {
    if (words.every((word) => title.includes(word))) return title.startsWith(words[0]) ? 0 : 1;
    return words.every((word) => title.includes(word) || text.includes(word)) ? 2 : 3;
  };
  const ranked = all.map((found) => [rank(found), found]).filter(([rank]) => rank < 3);
  return ranked.sort(([one], [other]) => one - other).map(([, found]) => found);
}

function listed({ href, link }) {
  const anchor = document.createElement("a");
  anchor.href = href;
  anchor.append(...link.map((part) => part.cloneNode?.(true) ?? part));
  const item = document.createElement("li");
  item.append(anchor);
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

/** The language that is chosen for one sample is chosen for all of this page. */
function chooseLanguage({ target }) {
  if (!target.matches(".tabs input")) return;
  const before = target.getBoundingClientRect().top;
  for (const input of document.querySelectorAll(`.tabs input[value="${target.value}"]`)) input.checked = true;
  // Samples above have another height now: what was clicked stays where it was.
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: "instant" });
}

document.addEventListener("change", chooseLanguage);

document.addEventListener("DOMContentLoaded", () => {
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
    const isSearching = input.value.trim() !== "";
    const found = isSearching ? matching(all, input.value) : [];
    list.replaceChildren(...found.slice(0, MOST).map(listed));
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
    if (event.key === "/" && document.activeElement !== input && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.select();
    }
    if (event.key === "Escape" && document.activeElement === input) {
      input.value = "";
      show();
    }
  });
});
