import { block, element, live, output, range, written } from "../controls.js";
import { dot } from "../tensor.js";
import { heatMasks } from "../heat_map.js";
import { LAST, SHOWN, circle, map, products, strips } from "./waves.js";

export const traits = ["d", "p", "k", "pair", "base"];

/** By what angle each pair of features turns from one position to the next. */
export function frequencies(d, base) {
  return Array.from({ length: d / 2 }, (_, i) => base ** ((-2 * i) / d));
}

/** A row for each position: sine, cosine, sine, cosine … from fast to slow. */
export function positions(n, d, base) {
  const omega = frequencies(d, base);
  return Array.from({ length: n }, (_, p) => omega.flatMap((w) => [Math.sin(w * p), Math.cos(w * p)]));
}

/** The rows of p and q, their pair that was chosen, and their product beside all others. */
export function answer({ d, p, k, pair, base }) {
  const q = p + k;
  const P = positions(SHOWN, d, 10 ** base);
  const omega = frequencies(d, 10 ** base);
  const curve = P.map((_, far) => omega.reduce((sum, w) => sum + Math.cos(w * far), 0));
  const shares = omega.map((_, i) => dot(P[p].slice(2 * i, 2 * i + 2), P[q].slice(2 * i, 2 * i + 2)));
  const highest = Math.max(...curve.slice(1));
  const degrees = (180 / Math.PI) * omega[pair];
  return {
    q,
    even: 2 * pair,
    odd: 2 * pair + 1,
    row_p: P[p],
    row_q: P[q],
    sine_p: P[p][2 * pair],
    cosine_p: P[p][2 * pair + 1],
    sine_q: P[q][2 * pair],
    cosine_q: P[q][2 * pair + 1],
    share: shares[pair],
    shares,
    product: dot(P[p], P[q]),
    most: d / 2,
    curve,
    turn: degrees,
    turned: degrees * k,
    wave: (2 * Math.PI) / omega[pair],
    rival: curve.indexOf(highest, 1),
    highest,
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ q, product, most, even, odd, turn, rival, highest }, { p, k }) {
  const both = `Positions ${p} and ${q}: product ${written(product, 2)} of ${most}, as for all that are ${k} apart`;
  const pair = `features ${even} and ${odd} turn by ${written(turn, 1)}° a step`;
  return `${both}; ${pair}. Of all other distances, ${rival} gives the most: ${written(highest, 2)}.`;
}

function render({ model, el }) {
  const d = model.get("d");
  const heat = heatMasks(d, SHOWN);
  const pictures = [map(model, heat), strips(d, heat), circle(), products(d / 2)];
  const [whole, rows, turning, curve] = pictures.map(({ node }) => node);
  let painted = null;

  function draw(result, state) {
    if (painted !== state.base) heat.paint(positions(SHOWN, d, 10 ** state.base));
    painted = state.base;
    for (const picture of pictures) picture.draw(result, state);
  }

  const how = (...said) => element("p", { class: "how" }, ...said);
  const parts = [
    block(
      "columns sliders",
      range(model, "p", "Position p", { min: 0, max: LAST }),
      range(model, "k", "Steps k from p to q", { min: 0, max: SHOWN - LAST - 1 }),
      range(model, "pair", "Pair of features", { min: 0, max: d / 2 - 1 }, "pair"),
      range(model, "base", "Base, power of 10", { min: 0, max: 4, step: 0.5 }, "base", 1),
    ),
    block(
      "columns views",
      block(
        "picture",
        how("Positions 0 to 99, downwards; ", `their ${d} features, to the right`),
        whole,
        rows,
      ),
      block(
        "picture",
        how("Features ", output("even"), " and ", output("odd"), ": ", output("turn", 1), "° a step, round in ", output("wave", 1), " steps; p to q: ", output("turned", 1), "°"),
        turning,
        how("Product of two positions, against how far they are apart"),
        curve,
      ),
    ),
    element(
      "p",
      { class: "said" },
      "Positions ", output("p"), " and ", output("q"), ": product ", output("product", 2), " of ", output("most"),
      "; of all other distances, ", output("rival"), " gives the most: ", output("highest", 2), ".",
    ),
  ];
  return live({ model, el }, { name: "transformer-positions", parts, traits, answer, draw, spoken });
}

export default { render };
