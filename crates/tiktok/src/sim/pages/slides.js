for (const box of document.querySelectorAll("[data-slides]")) {
  const strip = box.querySelector(".slides"), dots = [...box.querySelectorAll(".dots i")];
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const at = () => Math.round(strip.scrollLeft / Math.max(1, strip.clientWidth));
  const go = (to) => strip.scrollTo({ left: ((to + dots.length) % dots.length) * strip.clientWidth, behavior: calm ? "auto" : "smooth" });
  const mark = () => dots.forEach((dot, index) => dot.classList.toggle("on", index === at()));
  let playing = !calm && dots.length > 1;
  const stop = () => { playing = false; };
  box.querySelector(".next")?.addEventListener("click", () => { stop(); go(at() + 1); });
  box.querySelector(".prev")?.addEventListener("click", () => { stop(); go(at() - 1); });
  strip.addEventListener("touchstart", stop, { passive: true });
  strip.addEventListener("scroll", mark, { passive: true });
  setInterval(() => { if (playing && !document.hidden && !box.matches(":hover")) go(at() + 1); }, 2600);
  mark();
}
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) isIntersecting ? target.play().catch(() => {}) : target.pause();
});
for (const video of document.querySelectorAll("video")) seen.observe(video);
