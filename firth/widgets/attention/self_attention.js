// Attention on nested arrays, and points of a picture that a hand can move.

import { svg } from "../controls.js";
import { dot, norm } from "../tensor.js";

const STRIDES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Scores as shares of 1; the largest is taken away first, or exp could overflow. */
export function softmax(scores) {
  const largest = Math.max(...scores);
  const grown = scores.map((score) => Math.exp(score - largest));
  const total = grown.reduce((sum, value) => sum + value, 0);
  return grown.map((value) => value / total);
}

/** Every row of Q with every row of K, times the scale. */
export function compared(Q, K, scale = 1) {
  return Q.map((q) => K.map((k) => scale * dot(q, k)));
}

/** Each row of weights mixes the rows of V. */
export function mixtures(A, V) {
  return A.map((row) => V[0].map((_, c) => row.reduce((sum, a, j) => sum + a * V[j][c], 0)));
}

/** The same direction with length 1; a row of zeros has none and stays. */
export function directed(x) {
  const length = norm(x) || 1;
  return x.map((value) => value / length);
}

/** Attributes of a node of a picture. */
export function dressed(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/** An arrow that ends a gap before its goal, and nothing where it would be all head. */
export function arrowPath([x, y], [u, v], head = 9, gap = 0) {
  const far = Math.hypot(u - x, v - y);
  if (far < gap + head) return "";
  const [a, b] = [(u - x) / far, (v - y) / far];
  const back = (along, beside) => {
    const [px, py] = [u - along * a - beside * b, v - along * b + beside * a];
    return `${px.toFixed(1)} ${py.toFixed(1)}`;
  };
  const [tip, left, right] = [back(gap, 0), back(gap + head, 4), back(gap + head, -4)];
  return `M${back(far, 0)}L${tip}M${left}L${tip}L${right}`;
}

/**
 * A thing that mouse, finger and arrow keys move in tenths, within limits. `value` of a picture's
 * place is where it lies on the axes; get() and put() know the trait.
 */
export function grip(picture, name, { min, max, value }, get, put) {
  const aria = { "aria-label": name, "aria-valuemin": min, "aria-valuemax": max };
  const node = svg("g", { class: "grip", tabindex: 0, role: "slider", ...aria });
  const move = (point) => {
    const next = point.map((x) => Math.min(max, Math.max(min, Math.round(10 * x) / 10)));
    if (next.some((x, i) => x !== get()[i])) put(next);
  };
  const drag = (event) => {
    const inward = picture.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(inward);
    move(value([x, y]));
  };
  node.addEventListener("pointerdown", (event) => {
    node.setPointerCapture(event.pointerId);
    node.addEventListener("pointermove", drag);
  });
  for (const over of ["pointerup", "pointercancel"]) {
    node.addEventListener(over, () => node.removeEventListener("pointermove", drag));
  }
  node.addEventListener("keydown", (event) => {
    const by = STRIDES[event.key];
    if (!by) return;
    event.preventDefault();
    move(get().map((x, i) => x + by[i] / 10));
  });
  return node;
}
