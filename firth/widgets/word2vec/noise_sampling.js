import { block, button, change, element, live, number, output, range, table } from "../controls.js";
import { written } from "../controls.js";
import { cumulated, drawn, uniform } from "../random_numbers.js";

export const traits = ["words", "tallies", "shown", "power", "exponent", "seed"];

const [DRAWS, MOST_FREQUENT, PARTS, MILLION, SEEDS] = [20, 100, 10, 1e6, 99];
const [RARE, COMMON] = [-1, 5]; // powers of ten, per million: the ends of the scale of dots

/** The words, and the share of the text that each has; read once, for they never change. */
let kept = {};

function read(words, tallies) {
  if (kept.words !== words || kept.tallies !== tallies) {
    const names = words.split(" ");
    const all = tallies.reduce((sum, [count, times]) => sum + count * times, 0);
    const text = spread(tallies, ([count]) => count / all, names.length);
    kept = { words, tallies, names, all, text: cumulated(text) };
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

/** What is drawn with the counts to a power, and what of the text sub-sampling keeps. */
export function answer({ words, tallies, shown, power, exponent, seed }) {
  const { names, all, text } = read(words, tallies);
  const sum = tallies.reduce((sum, [count, times]) => sum + times * count ** power, 0);
  const noise = cumulated(spread(tallies, ([count]) => count ** power / sum, names.length));
  const sample = 10 ** exponent;
  const keeps = (share) => Math.min(1, Math.sqrt(sample / share) + sample / share);
  const u = uniform(seed);
  const places = Array.from({ length: DRAWS }, () => drawn(noise, u()));
  const upTo = (sums, n) => (n ? sums[Math.min(n, names.length) - 1] : 0);
  const ofRank = (sums) => (rank) => upTo(sums, rank) - upTo(sums, rank - 1);
  const bound = (part) => Math.floor((part * names.length) / PARTS);
  const tenth = (_, part) => 100 * (upTo(noise, bound(part + 1)) - upTo(noise, bound(part)));
  const left = ([count, times]) => (times * count * keeps(count / all)) / all;
  return {
    drawn: places.map((place) => names[place]),
    ranks: places.map((place) => place + 1),
    in_text: shown.map(ofRank(text)).map((share) => MILLION * share),
    as_noise: shown.map(ofRank(noise)).map((share) => MILLION * share),
    kept: shown.map(ofRank(text)).map((share) => 100 * keeps(share)),
    top: 100 * upTo(noise, MOST_FREQUENT),
    top_in_text: 100 * upTo(text, MOST_FREQUENT),
    tenths: Array.from({ length: PARTS }, tenth),
    sample,
    left: 100 * tallies.reduce((sum, tally) => sum + left(tally), 0),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ top, drawn: words, left }, { power }) {
  const first = words.slice(0, 5).join(", ");
  const often = `the ${MOST_FREQUENT} most frequent words get ${written(top, 1)} % of the draws`;
  const keeps = `sub-sampling keeps ${written(left, 1)} % of the text`;
  return `Power ${written(power, 2)}: ${often}, such as ${first}; ${keeps}.`;
}

function render({ model, el }) {
  const names = model.get("words").split(" ");
  const shown = model.get("shown");
  const chips = Array.from({ length: DRAWS }, (_, n) =>
    element("li", {}, output(`drawn.${n}`), " ", element("small", {}, output(`ranks.${n}`))),
  );
  const again = () => change(model, { seed: (model.get("seed") % SEEDS) + 1 });
  const bars = Array.from({ length: PARTS }, (_, n) =>
    element("li", {}, output(`tenths.${n}`, 1), element("i", {}), `${n + 1}`),
  );
  const lines = shown.map((rank, n) => [
    [names[rank - 1], " ", element("small", {}, rank.toLocaleString("en-GB"))],
    output(`in_text.${n}`, 1),
    output(`as_noise.${n}`, 1),
    element("span", { class: "dots" }),
    output(`kept.${n}`, 1),
  ]);
  const mark = (kind, sign, text) => [element("span", { class: kind }, sign), ` ${text}`];
  const heads = ["word, rank", mark("text", "○", "text"), mark("noise", "●", "drawn")];
  const caption = "In a million: how often the text has a word, and how often it is drawn";
  const rows = table("words", caption, [...heads, "log scale", "% kept"], lines);

  function draw({ ranks, tenths, in_text: text, as_noise: noise }) {
    chips.forEach((chip, n) => {
      const rare = Math.log(ranks[n]) / Math.log(names.length);
      chip.style.setProperty("--weight", (1 - rare).toFixed(3));
    });
    const most = Math.max(...tenths, 20);
    bars.forEach((bar, n) => bar.style.setProperty("--height", tenths[n] / most));
    const at = (often) => (Math.log10(often) - RARE) / (COMMON - RARE);
    rows.rows.forEach((row, n) => {
      const style = row.querySelector(".dots").style;
      const [from, to] = [at(text[n]), at(noise[n])].map((x) => Math.min(1, Math.max(0, x)));
      style.setProperty("--text", from.toFixed(4));
      style.setProperty("--noise", to.toFixed(4));
      style.setProperty("--low", Math.min(from, to).toFixed(4));
      style.setProperty("--span", Math.abs(from - to).toFixed(4));
    });
  }

  const n = names.length.toLocaleString("en-GB");
  const how = (...words) => element("p", { class: "how" }, ...words);
  const often = ["The 100 most frequent words get ", output("top", 1), " % of the draws; "];
  const parts = [
    block(
      "bar",
      range(model, "power", "Power α", { min: 0, max: 1, step: 0.05 }, "power", 2),
      button("Draw 20 others", again, { class: "first" }),
      number(model, "seed", "Seed", { min: 1, max: SEEDS, step: 1 }),
    ),
    how("0 draws all words alike, 1 as often as the text says them; 0.75 is the custom."),
    element("ol", { class: "drawn", "aria-label": "the words drawn, with ranks" }, ...chips),
    element("p", {}, ...often, "they are ", output("top_in_text", 1), " % of the text."),
    block(
      "",
      how(`Of 100 draws, what each tenth of the ${n} words gets, from the most frequent on:`),
      element("ol", { class: "tenths", "aria-label": "draws in a hundred, by tenths" }, ...bars),
    ),
    block(
      "",
      range(model, "exponent", "Sub-sampling s", { min: -6, max: -1, step: 0.25 }, "sample", 6),
      element("p", {}, "Of the whole text, ", output("left", 1), " % is kept."),
    ),
    rows.node,
  ];
  return live({ model, el }, { name: "word2vec-sampler", parts, traits, answer, draw, spoken });
}

export default { render };
