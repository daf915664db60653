// Formulas, typeset when they come near the reader, one at a time, so that a page never waits for its mathematics.
// MathJax itself is fetched with the first formula; before printing, all that is left is typeset.
(() => {
  const here = new URL("vendor/mathjax/", document.currentScript.src).href;
  const formulas = [...document.querySelectorAll("span.math, div.math")];
  if (!formulas.length) return;

  const waiting = new Set();
  let ready, busy = false;

  const load = () =>
    (ready ??= new Promise((resolve, reject) => {
      const given = window.MathJax ?? {};
      window.MathJax = {
        ...given,
        loader: {
          paths: { mathjax: here.slice(0, -1) },
          load: ["core", "input/tex-base", "[tex]/ams", "[tex]/newcommand", "[tex]/boldsymbol", "[tex]/textmacros",
            "output/chtml", "a11y/assistive-mml"],
        },
        tex: {
          ...given.tex,
          packages: { "[+]": ["ams", "newcommand", "boldsymbol", "textmacros"] },
        },
        chtml: { fontURL: here + "output/chtml/fonts/woff-v2" },
        options: given.options,
        startup: { typeset: false, ready() { MathJax.startup.defaultReady(); resolve(MathJax.startup.promise); } },
      };
      const script = document.createElement("script");
      script.src = here + "startup.js";
      script.onerror = reject;
      document.head.append(script);
    }));

  // A formula that is a little too wide, perhaps only once its fonts have come, is set smaller; a wider one scrolls.
  const fit = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const formula = target.parentElement;
      const past = () => formula.scrollWidth > formula.clientWidth;
      if (past()) formula.style.fontSize ||= `${Math.max(0.8, (0.99 * formula.clientWidth) / formula.scrollWidth)}em`;
      if (past()) formula.tabIndex = 0; // arrows scroll it
    }
  });

  const typeset = async (formula) => {
    waiting.delete(formula);
    if (formula.dataset.typeset) return;
    formula.dataset.typeset = "begun";
    await load();
    await MathJax.typesetPromise([formula]);
    formula.dataset.typeset = "done";
    if (formula.matches("div")) fit.observe(formula.querySelector("mjx-container"));
  };

  const pause = window.requestIdleCallback
    ? () => new Promise((go) => requestIdleCallback(go, { timeout: 200 }))
    : () => new Promise((go) => setTimeout(go));

  const work = async () => {
    if (busy) return;
    busy = true;
    for (const formula of waiting) {
      await pause();
      await typeset(formula).catch(() => (formula.dataset.typeset = "done")); // its source is shown
    }
    busy = false;
  };

  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        waiting.add(target);
      }
      if (waiting.size) work();
    },
    { rootMargin: "800px" },
  );
  formulas.forEach((formula) => watch.observe(formula));

  // For printing, and for whoever wants the whole page at once.
  window.typesetAll = async () => {
    for (const formula of formulas) await typeset(formula);
    await document.fonts.ready;
  };
  addEventListener("beforeprint", () => {
    if (window.MathJax?.typeset) {
      const left = formulas.filter((f) => !f.dataset.typeset);
      MathJax.typeset(left);
      left.forEach((f) => (f.dataset.typeset = "done"));
    }
  });
  // After the first quiet moment all the rest is typeset too: a print or a search in the page then finds it done.
  addEventListener("load", () => setTimeout(() => { formulas.forEach((f) => f.dataset.typeset || waiting.add(f)); work(); }, 3000));
})();
