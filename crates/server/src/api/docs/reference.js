// Optional: adds the theme chosen in the dashboard, a search, and one choice of the language for all samples of a page.
const chosen = localStorage.getItem("playout.theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;

const MOST = 40;

/** The elements of the page that can be linked to, each with its label and its search words. */
function entries() {
  const of = (element, link, words) => ({ id: element.id, link, words: words.toLowerCase() });
  const articles = [...document.querySelectorAll("article[id]")].map((article) => {
    const title = article.querySelector("h3").textContent;
    const method = article.querySelector(".route .method");
    const path = article.querySelector(".route code")?.textContent ?? "";
    const link = [...(method ? [method.cloneNode(true)] : []), title];
    return of(article, link, `${title} ${path} ${article.id} ${method?.textContent ?? ""}`);
  });
  const errors = [...document.querySelectorAll("tr[id]")].map((row) => {
    const [code, status] = row.cells;
    return of(row, [code.textContent], `${code.textContent} ${status.textContent} error`);
  });
  return [...articles, ...errors];
}

/** The entries that contain all words; those that begin with the first word come first. */
function matching(all, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((entry) => words.every((word) => entry.words.includes(word)));
  const isFirst = (entry) => Number(!entry.words.startsWith(words[0]));
  return found.sort((one, other) => isFirst(one) - isFirst(other));
}

function listed({ id, link }) {
  const anchor = document.createElement("a");
  anchor.href = `#${id}`;
  anchor.append(...link);
  const item = document.createElement("li");
  item.append(anchor);
  return item;
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
  const form = document.querySelector("form[role=search]");
  if (!form) return;
  const input = form.querySelector("input");
  const contents = document.querySelector("#contents");
  const list = document.querySelector("#found");
  const count = document.querySelector("#count");
  const all = entries();
  form.hidden = false;

  function show() {
    const isSearching = input.value.trim() !== "";
    const found = isSearching ? matching(all, input.value) : [];
    list.replaceChildren(...found.slice(0, MOST).map(listed));
    list.hidden = found.length === 0;
    contents.hidden = isSearching;
    count.textContent = isSearching ? `${found.length} found` : "";
  }

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
