// What a reader has read to the end is ticked in the contents; it stays in this browser and can be forgotten.
(() => {
  const KEY = "firth-read";
  const root = new URL(document.documentElement.dataset.content_root, location.href).pathname;
  const read = () => { try { return new Set(JSON.parse(localStorage.getItem(KEY)) ?? []); } catch { return new Set(); } };
  const name = (url) => url.pathname.slice(root.length) || "index.html";
  const links = [...document.querySelectorAll(".bd-links a.reference.internal")];

  const show = () => {
    const done = read();
    for (const link of links) link.toggleAttribute("data-read", done.has(name(new URL(link.href))));
    document.querySelector(".firth-progress")?.remove();
    if (!done.size || !links.length) return;
    const line = document.createElement("p");
    line.className = "firth-progress";
    line.textContent = `${done.size} ${done.size === 1 ? "page" : "pages"} read to the end. `;
    const forget = document.createElement("button");
    forget.type = "button";
    forget.textContent = "Forget";
    forget.title = "Forget which pages were read in this browser";
    forget.addEventListener("click", () => { localStorage.removeItem(KEY); show(); });
    line.append(forget);
    document.querySelector(".bd-links").append(line);
  };

  const end = document.querySelector(".prev-next-footer");
  if (end) {
    const watch = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting || scrollY < innerHeight / 2) return; // a page short enough to see at once is not a chapter
      try { localStorage.setItem(KEY, JSON.stringify([...read().add(name(location))].sort())); } catch { /* nothing is kept */ }
      watch.disconnect();
      show();
    });
    watch.observe(end);
  }
  show();
})();

// A heading asked for by its address stays at the top while what stands above it grows: formulas that are typeset,
// widgets that come alive. The reader's first touch of wheel, screen, mouse or key ends it.
(() => {
  const article = document.querySelector(".bd-article");
  const touches = ["wheel", "touchstart", "pointerdown", "keydown"];
  let watch, end;

  const release = () => {
    watch?.disconnect();
    clearTimeout(end);
    touches.forEach((name) => removeEventListener(name, release, true));
  };
  const hold = () => {
    release();
    const heading = document.getElementById(location.hash.slice(1));
    if (!article?.contains(heading)) return;
    watch = new ResizeObserver(() => heading.scrollIntoView());
    watch.observe(article);
    touches.forEach((name) => addEventListener(name, release, { capture: true, passive: true }));
    end = setTimeout(release, 4000);
  };

  // Who reloads or comes back is put where they were.
  if (performance.getEntriesByType("navigation")[0]?.type === "navigate") hold();
  addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    if (link) setTimeout(() => link.hash === location.hash && hold()); // the address has changed by then
  });
})();

// Each line of code or output is a block of its own, so that a line longer than its box is indented where it continues.
// The end of a line stays inside its block: what is copied is the code as it was written.
for (const pre of document.querySelectorAll(".bd-article .highlight pre")) {
  const lines = pre.innerHTML.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  pre.innerHTML = lines.map((line) => `<span class="firth-line">${line}</span>`).join("");
  for (const line of pre.children) line.style.setProperty("--indent", line.textContent.search(/[^ ]|$/));
}

// A table or a piece of code larger than its box can be scrolled with the keys, and a screen reader says which one it is.
(() => {
  const BOX = "pre, figure.firth-picture details table, .pst-scrollable-table-container, .cell_output .text_html";
  const name = (box) => {
    if (box.matches("pre")) return box.closest(".cell_output") ? "Output wider than the page" : "Code wider than the page";
    return box.querySelector("caption")?.textContent ?? "Wide table";
  };
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const box = target.closest(BOX);
      if (!box) { // taken off the page by a new output
        watch.unobserve(target);
        continue;
      }
      const stop = { tabindex: 0 };
      if (!box.matches("table")) Object.assign(stop, { role: "group", "aria-label": name(box) });
      const larger = box.scrollWidth > box.clientWidth || (!box.matches("pre") && box.scrollHeight > box.clientHeight);
      for (const name in stop) larger ? box.setAttribute(name, stop[name]) : box.removeAttribute(name);
    }
  });
  const observe = (part) => {
    for (const inside of part.querySelectorAll(".bd-article :is(table, pre):not(.firth-widget *)")) {
      const box = inside.closest(BOX);
      if (box) new Set([inside, box]).forEach((one) => watch.observe(one));
    }
  };
  observe(document);
  document.addEventListener("firth-output", ({ target }) => observe(target)); // of a cell that ran in the page
})();
