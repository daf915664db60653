import { block, live, output, range } from "../controls.js";

export const traits = ["n"];

export function answer({ n }) {
  return { square: n ** 2 };
}

export const spoken = ({ square }, { n }) => `The square of ${n} is ${square}.`;

function render({ model, el }) {
  const parts = [
    range(model, "n", "A number n", { min: 1, max: 10 }),
    block("", "Its square is ", output("square"), "."),
  ];
  return live({ model, el }, { name: "lsa-explorer", parts, traits, answer, spoken });
}

export default { render };
