import { block, button, change, element, live, output, range, select, table } from "../controls.js";
import { written } from "../controls.js";
import { cumulated, drawn, uniform } from "../random_numbers.js";

export const traits = ["counts", "rows", "prompt", "tau", "k", "p", "seed"];

const [SHOWN, DRAWS] = [12, 20];
const KS = [1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 40, 50, 100, 200, 1000, null]; // null: off
const SIGNS = { " ": "␣", "\n": "↵", "\t": "⇥" }; // what cannot be seen
const label = (token) => token.replace(/[ \n\t]/g, (sign) => SIGNS[sign]);
const total = (x) => x.reduce((sum, value) => sum + value, 0);

/** One token's probability at each place; a place has counts[i] tokens that are alike. */
function softened(below, counts, tau) {
  if (tau === 0) return below.map((_, i) => (i ? 0 : 1));
  const weights = below.map((b) => Math.exp(-b / 100 / tau));
  const sum = total(weights.map((weight, i) => weight * counts[i]));
  return weights.map((weight) => weight / sum);
}

/** How many tokens of each place stay, if only the k likeliest do. */
function topK(counts, k) {
  let left = k ?? Infinity;
  return counts.map((count) => {
    const stay = Math.min(count, left);
    left -= stay;
    return stay;
  });
}

/** How many stay, if of those that `stay` so many do as are needed for a share p of them. */
function topP(q, stay, p) {
  if (p === 1) return stay.map((count, i) => (q[i] > 0 ? count : 0));
  const sum = total(q.map((one, i) => one * stay[i]));
  let before = 0;
  return stay.map((count, i) => {
    const one = q[i] / sum;
    if (!(before < p) || one === 0) return 0;
    const needed = Math.min(count, Math.max(1, Math.ceil((p - before) / one)));
    before += count * one;
    return needed;
  });
}

/** The likeliest tokens before and after the cuts, twenty draws, and what has been cut off. */
export function answer({ counts, rows, prompt, tau, k, p, seed }) {
  const { tokens, below } = rows.find((row) => row.prompt === prompt);
  const [own, soft] = [softened(below, counts, 1), softened(below, counts, tau)];
  const top = topK(counts, KS[k]);
  const stay = topP(soft, top, p);
  const mass = (q, number) => total(q.map((one, i) => one * number[i]));
  const kept = mass(soft, stay);
  const now = soft.map((one, i) => (one * stay[i]) / kept);
  const entropy = total(now.map((q, i) => (q > 0 ? -q * Math.log(q / stay[i]) : 0)));
  const [cumulative, u] = [cumulated(now), uniform(seed)];
  const end = cumulative[cumulative.length - 1];
  const draws = Array.from({ length: DRAWS }, () => drawn(cumulative, u() * end));
  const tally = (i) => draws.filter((draw) => draw === i).length;
  const shown = tokens.slice(0, SHOWN);
  const rest = (q) => 100 * total(q.slice(SHOWN));
  const named = [...new Set(draws.filter((i) => i >= SHOWN && i < tokens.length))];
  const names = named.sort((a, b) => a - b).map((i) => label(tokens[i]));
  const rarer = draws.filter((i) => i >= tokens.length).length;
  return {
    labels: shown.map(label),
    own: own.slice(0, SHOWN).map((q) => 100 * q),
    now: now.slice(0, SHOWN).map((q) => (q > 0 ? 100 * q : "cut")),
    tally: shown.map((_, i) => tally(i)),
    others: {
      count: total(counts) - SHOWN,
      own: rest(own.map((q, i) => q * counts[i])),
      now: now[SHOWN] > 0 ? rest(now) : "cut",
      tally: draws.filter((i) => i >= SHOWN).length,
      drawn: rarer ? [...names, `${rarer} rarer`] : names,
    },
    kept: total(stay.map((count, i) => (soft[i] > 0 ? count : 0))),
    cut: 100 * (1 - kept),
    cut_k: 100 * (1 - mass(soft, top)),
    entropy,
    choices: Math.exp(entropy),
    said_k: KS[k] === null ? "off" : String(KS[k]),
    said_p: p === 1 ? "off" : p.toFixed(2),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ labels, now, kept, choices, cut }, { tau }) {
  const name = labels[0].replaceAll("␣", " ").trim() || labels[0];
  const likely = `${name} is likeliest, ${written(now[0], 1)} %`;
  const left = kept === 1 ? "1 token is left" : `${kept} tokens are left`;
  return `At τ ${written(tau, 1)}: ${likely}; ${left}, as if ${written(choices, 1)} were equally likely; ${written(cut, 1)} % cut off.`;
}

function render({ model, el }) {
  const rows = model.get("rows");
  const kinds = [...new Set(rows.map((row) => row.kind))];
  const option = ({ prompt }) => [prompt, prompt.replaceAll("\n", " ↵ ")];
  const choices = kinds.map((kind) => [kind, rows.filter((row) => row.kind === kind).map(option)]);

  const cells = (path) => [
    output(path("own"), 1),
    output(path("now"), 1),
    output(path("tally")),
  ];
  const lines = Array.from({ length: SHOWN }, (_, n) => [
    output(`labels.${n}`),
    ...cells((name) => `${name}.${n}`),
  ]);
  const others = [output("others.count"), " others"];
  const heads = ["next token", "model, %", "now, %", `of ${DRAWS} draws`];
  const body = [...lines, [others, ...cells((name) => `others.${name}`)]];
  const coming = table("coming", "What comes next", heads, body);

  function draw({ own, now, others }) {
    [...own, others.own].forEach((share, n) => {
      const left = [...now, others.now][n];
      coming.rows[n].style.setProperty("--before", share / 100);
      coming.rows[n].style.setProperty("--weight", left === "cut" ? 0 : left / 100);
      coming.rows[n].classList.toggle("cut", left === "cut");
    });
    also.hidden = !others.drawn.length;
  }

  const also = element("p", { class: "also" }, "Others drawn: ", output("others.drawn"));
  const byK = [" % cut off (by k alone ", output("cut_k", 1), " %)."];
  const left = ["Tokens left: ", output("kept"), "; ", output("cut", 1), ...byK];
  const sure = ["Entropy ", output("entropy", 2), " nats: as unsure as among "];
  const alike = [output("choices", 1), " equally likely tokens."];
  const again = () => change(model, { seed: model.get("seed") + 1 });
  const knobs = [
    range(model, "tau", "Temperature τ", { min: 0, max: 2, step: 0.1 }, "tau", 1),
    range(model, "k", "Top k", { min: 0, max: KS.length - 1, step: 1 }, "said_k"),
    range(model, "p", "Top p", { min: 0.05, max: 1, step: 0.05 }, "said_p"),
  ];
  const parts = [
    select(model, "prompt", "Prompt", choices),
    element("p", { class: "prompt" }, output("prompt")),
    block("knobs", ...knobs),
    coming.node,
    also,
    element("p", {}, ...left),
    element("p", {}, ...sure, ...alike),
    block("bar", button(`Draw ${DRAWS} again`, again, { class: "first" })),
  ];
  return live({ model, el }, { name: "transformer-next", parts, traits, answer, draw, spoken });
}

export default { render };
