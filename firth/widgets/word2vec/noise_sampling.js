import { block, button, change, element, live, number, output, range } from "../controls.js";
import { written } from "../controls.js";
import { cumulated, drawn, uniform } from "../random_numbers.js";

export const traits = ["words", "tallies", "sentence", "power", "exponent", "seed"];

const [DRAWS, MOST_FREQUENT, SEEDS] = [20, 100, 99];

/** The words, and the share of the text that each has; read once, for they never change. */
let kept = {};

function read(words, tallies) {
  if (kept.words !== words || kept.tallies !== tallies) {
    const names = words.split(" ");
    const rank = new Map(names.map((name, i) => [name, i]));
    const all = tallies.reduce((sum, [count, times]) => sum + count * times, 0);
    const text = spread(tallies, ([count]) => count / all, names.length);
    kept = { words, tallies, names, rank, all, shares: text, text: cumulated(text) };
  }
  return kept;
}

/** The same value for every word of a tally: those that occur as often. */
function spread(tallies, value, n) {
  const values = new Float64Array(n);
  let begin = 0;
  for (const tally of tallies) values.fill(value(tally), begin, (begin += tally[1]));
  return values;
}

/** The noise words that a power of the counts draws, and what of the text sub-sampling keeps. */
export function answer({ words, tallies, sentence, power, exponent, seed }) {
  const { names, rank, all, shares, text } = read(words, tallies);
  const sum = tallies.reduce((sum, [count, times]) => sum + times * count ** power, 0);
  const noise = cumulated(spread(tallies, ([count]) => count ** power / sum, names.length));
  const sample = 10 ** exponent;
  const keeps = (share) => Math.min(1, Math.sqrt(sample / share) + sample / share);
  const u = uniform(seed);
  const places = Array.from({ length: DRAWS }, () => drawn(noise, u()));
  const top = (sums) => 100 * sums[Math.min(MOST_FREQUENT, names.length) - 1];
  const left = ([count, times]) => (times * count * keeps(count / all)) / all;
  const chances = sentence.map((word) => keeps(shares[rank.get(word)]));
  return {
    drawn: places.map((place) => names[place]),
    ranks: places.map((place) => place + 1),
    top: top(noise),
    top_in_text: top(text),
    kept: chances.map((chance) => 100 * chance),
    stays: chances.map((chance) => u() < chance),
    sample,
    left: 100 * tallies.reduce((sum, tally) => sum + left(tally), 0),
  };
}

/** What a change comes to, for those who hear the page. */
export function spoken({ top, drawn: words, left, stays }, { power, sentence }) {
  const first = words.slice(0, 5).join(", ");
  const often = `the ${MOST_FREQUENT} most frequent words get ${written(top, 1)} % of the draws`;
  const noise = `Power ${written(power, 2)}: ${often}; noise words: ${first}.`;
  const rest = sentence.filter((_, n) => stays[n]).join(" ");
  return `${noise} Sub-sampling keeps ${written(left, 1)} % of the text; of the sentence: ${rest || "nothing"}.`;
}

function render({ model, el }) {
  const sentence = model.get("sentence");
  const spans = sentence.map((word) => element("span", {}, word));
  const rest = sentence.map((word) => element("span", {}, word));
  const chances = sentence.flatMap((word, n) => [`${n ? ", " : ""}${word} `, output(`kept.${n}`), " %"]);
  const spaced = (nodes) => nodes.flatMap((node) => [node, " "]);
  const chips = Array.from({ length: DRAWS }, (_, n) =>
    element("li", {}, output(`drawn.${n}`), " ", element("small", {}, output(`ranks.${n}`))),
  );
  const again = () => change(model, { seed: (model.get("seed") % SEEDS) + 1 });
  const names = model.get("words").split(" ").length;
  const bar = (label, name) =>
    element("li", {}, element("span", {}, label), element("i", { class: name }), element("b", {}, output(name, 1), " %"));
  const shares = element("ul", { class: "shares" }, bar("in the text", "top_in_text"), bar("as noise words", "top"));
  const [inText, asNoise] = shares.querySelectorAll("i");

  function draw({ kept: chances, stays, ranks, top, top_in_text: often }) {
    spans.forEach((span, n) => span.style.setProperty("--kept", (chances[n] / 100).toFixed(3)));
    rest.forEach((span, n) => (span.hidden = !stays[n]));
    nothing.hidden = stays.some(Boolean);
    chips.forEach((chip, n) => {
      const rare = Math.log(ranks[n]) / Math.log(names);
      chip.style.setProperty("--weight", (1 - rare).toFixed(3));
    });
    inText.style.setProperty("--length", (often / 100).toFixed(4));
    asNoise.style.setProperty("--length", (top / 100).toFixed(4));
  }

  const how = (...words) => element("p", { class: "how" }, ...words);
  const heading = (text) => element("p", {}, element("b", {}, text));
  const nothing = element("span", { class: "soft" }, "nothing");
  const parts = [
    block(
      "part",
      heading("Sub-sampling: frequent words are left out at random"),
      range(model, "exponent", "Threshold s", { min: -6, max: -1, step: 0.25 }, "sample", 6),
      element("p", { class: "whole" }, ...spaced(spans)),
      element("p", { class: "unseen" }, "Each word stays with a probability of: ", ...chances, "."),
      how("The smaller a word, the more often it is left out. What remains in this draw:"),
      element("p", { class: "rest" }, ...spaced(rest), nothing),
      how("Of the whole corpus, ", output("left", 1), " % remains."),
    ),
    block(
      "part",
      heading("Noise words: drawn with a power of their counts"),
      range(model, "power", "Power α", { min: 0, max: 1, step: 0.05 }, "power", 2),
      element("ol", { class: "drawn", "aria-label": "the noise words, with their ranks" }, ...chips),
      how(`Small numbers are ranks among ${names.toLocaleString("en-GB")} words; 1 is the most frequent.`),
      how(`Share of the ${MOST_FREQUENT} most frequent words:`),
      shares,
    ),
    block("bar", button("Draw again", again, { class: "first" }), number(model, "seed", "Seed", { min: 1, max: SEEDS, step: 1 })),
  ];
  return live({ model, el }, { name: "word2vec-sampler", parts, traits, answer, draw, spoken });
}

export default { render };
