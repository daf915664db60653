// A bar for each word: the cosine of its row with the row of the word that a view is about.

import { element, output } from "../controls.js";

/** The bars, whose numbers stand at `path` in the answer; a negative cosine has no bar. */
export function cosineBars(words, path, caption) {
  const lines = words.map((word, i) =>
    element("li", {}, element("span", {}, word), element("i"), output(`${path}.${i}`, 2)),
  );
  const list = element("ul", { "aria-label": caption }, ...lines);
  const node = element("div", { class: "cosines" }, element("p", { class: "how" }, caption), list);
  const draw = (cosines) => {
    const most = Math.max(...cosines);
    cosines.forEach((cosine, i) => {
      lines[i].style.setProperty("--length", Math.max(0, cosine));
      lines[i].classList.toggle("most", most > 0 && cosine > most - 0.005); // equal as it is written
    });
  };
  return { node, draw };
}
