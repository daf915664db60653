import { block, button, change, element, live, output, table } from "../controls.js";
import { calm, written } from "../controls.js";
import { cosine } from "../tensor.js";
import { cosineBars } from "./cosine_bars.js";
import { neighbourPositions, pieces, wordsOf } from "./windows.js";

export const traits = ["word", "sentences", "columns", "known", "rows", "m", "reading"];

/** Which neighbours stand near a word of a sentence, at each of its occurrences. */
function neighbours(sentence, word, m) {
  const words = wordsOf(sentence);
  const near = (t) => neighbourPositions(words, m, t);
  return words.flatMap((centre, t) => (centre === word ? near(t) : []));
}

/** The word's counts after some of its sentences, and its cosine with each known word. */
export function answer({ word, sentences, columns, known, rows, m, reading }) {
  const count = (sentence) => {
    const near = neighbours(sentence, word, m).map((j) => wordsOf(sentence)[j]);
    return columns.map((column) => near.filter((other) => other === column).length);
  };
  const each = sentences.slice(0, reading).map(count);
  const counts = columns.map((_, j) => each.reduce((sum, row) => sum + row[j], 0));
  return {
    counts,
    met: columns.filter((_, j) => each.at(-1)?.[j]),
    cosines: known.map((_, i) => cosine(rows[i], counts)),
    number: Math.max(1, reading),
    total: sentences.length,
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ met, cosines }, { word, known, reading }) {
  if (!reading) return `No sentence is read, so the row of ${word} is empty.`;
  const near = met.length ? met.join(" and ") : "no counted word";
  const said = known.map((other, i) => `${other} ${written(cosines[i], 2)}`).join(", ");
  return `Sentence ${reading}: ${word} stands near ${near}. Cosine with ${said}.`;
}

function render({ model, el }) {
  const get = (name) => model.get(name);
  const [word, sentences, columns, known] = ["word", "sentences", "columns", "known"].map(get);
  const next = () => change(model, { reading: (model.get("reading") + 1) % (sentences.length + 1) });
  const read = button("Next sentence", next, { class: "first" });
  const text = element("p", { class: "sentence" });
  const numbers = columns.map((_, j) => output(`counts.${j}`));
  const caption = `how often ${word} has met each neighbour`;
  const counts = table("counts", caption, ["word", ...columns], [[word, ...numbers]]);
  const bars = cosineBars(known, "cosines", `cosine of ${word}’s row with the row of`);

  function draw({ counts: row, met, cosines, number }, { m, reading }) {
    const sentence = sentences[number - 1];
    const words = wordsOf(sentence);
    const near = reading ? neighbours(sentence, word, m) : [];
    let t = 0;
    const spell = (piece) => {
      if (typeof piece === "string") return piece;
      const [name, at] = [words[t], t++];
      if (name === word) return element("b", {}, ...piece);
      return near.includes(at) && met.includes(name) ? element("mark", {}, ...piece) : piece[0];
    };
    text.replaceChildren(...pieces(sentence).map(spell));
    row.forEach((count, j) => {
      const cell = counts.rows[0].cells[j + 1];
      const now = reading > 0 && met.includes(columns[j]);
      cell.style.setProperty("--weight", Math.min(1, count / 3));
      cell.className = now ? "some now" : count ? "some" : "none";
      if (now && !calm()) cell.animate({ opacity: [0.2, 1] }, 300);
    });
    bars.draw(cosines);
    const done = reading === sentences.length;
    read.textContent = done ? "Start again" : reading ? "Next sentence" : "Read the first sentence";
  }

  const where = element("span", { class: "soft" }, "Sentence ", output("number"), " of ", output("total"));
  const parts = [block("bar", read, where), text, counts.node, bars.node];
  return live({ model, el }, { name: "lsa-first-sentences", parts, traits, answer, draw, spoken });
}

export default { render };
