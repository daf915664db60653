// A map of a word and its neighbours: the distance from the middle is the angle, and words glide to their places.

import { calm, svg } from "../controls.js";

const [WIDTH, HEIGHT, RADIUS, LETTER, LINE, TURNS] = [400, 340, 140, 7.4, 17, 120];
const LEAVING = 400; // milliseconds, as the stylesheet has them

/** Two to four rings at round angles, the last within the farthest word. */
function ringsFor(farthest) {
  const rough = farthest / 3;
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  return [1, 2, 3, 4].map((n) => n * step).filter((angle) => angle <= 1.001 * farthest);
}

/** The points, turned or mirrored as a whole so that words that stay are near where they were. */
function aligned(points, before) {
  const best = [1, -1].map((mirror) => {
    let [along, across] = [0, 0];
    for (const [word, [x, y]] of points) {
      const [u, v] = before.get(word) ?? [0, 0];
      along += x * u + mirror * y * v;
      across += x * v - mirror * y * u;
    }
    return { mirror, angle: Math.atan2(across, along), fit: Math.hypot(along, across) };
  });
  const { mirror, angle, fit } = best[0].fit >= best[1].fit ? best[0] : best[1];
  if (!fit) return points;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return new Map([...points].map(([word, [x, y]]) => [word, [c * x - s * mirror * y, s * x + c * mirror * y]]));
}

/** Where the names stand: above their dots, pushed apart until none covers another, a dot or the edge. */
function namePlaces(points, centre) {
  const dots = [...points.values()].map(([x, y]) => ({ x, y, w: 9, h: 9, fixed: true }));
  const middle = { x: 0, y: 0, w: 1.2 * LETTER * centre.length, h: 20, fixed: true };
  const boxes = [...points].map(([word, [x, y]]) => ({ word, x, y: y - 14, w: LETTER * word.length, h: LINE }));
  const all = [...boxes, ...dots, middle];
  for (let turn = 0; turn < TURNS; turn++) {
    for (const a of boxes) {
      for (const b of all) {
        const wide = (a.w + b.w) / 2 + 4 - Math.abs(a.x - b.x);
        const high = (a.h + b.h) / 2 - Math.abs(a.y - b.y);
        if (a === b || wide <= 0 || high <= 0) continue;
        const share = b.fixed ? 1 : 0.5;
        const above = a.y === b.y ? a.word < b.word : a.y < b.y;
        if (wide < high) a.x += (a.x < b.x ? -wide : wide) * share;
        else a.y += (above ? -high : high) * share;
      }
      const [right, down] = [(WIDTH - a.w) / 2 - 2, (HEIGHT - a.h) / 2];
      a.x = Math.min(right, Math.max(-right, a.x));
      a.y = Math.min(down, Math.max(-down, a.y));
    }
  }
  return new Map(boxes.map(({ word, x, y }) => [word, [x, y]]));
}

/** Of eight places on a ring, the one that is farthest from all dots and names. */
function freePlace(radius, taken) {
  const room = ([x, y]) => Math.min(...taken.map(([u, v]) => Math.hypot((x - u) / 2, y - v)));
  const around = [2, 6, 1, 3, 5, 7, 0, 4].map((n) => (n * Math.PI) / 4);
  const places = around.map((angle) => [radius * Math.cos(angle), radius * Math.sin(angle)]);
  return places.reduce((best, place) => (room(place) > room(best) + 1 ? place : best));
}

const moved = (node, [x, y]) => (node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`);

/** The drawing, and how to show an answer in it. `go` is called with a word that is clicked. */
export function neighbourMap(go) {
  const box = [-WIDTH / 2, -HEIGHT / 2, WIDTH, HEIGHT].join(" ");
  const [rings, words] = [svg("g", { class: "rings" }), svg("g")];
  const middle = svg("text", { class: "middle", y: 5 });
  const name = "a map of the words in the table: the nearer to the middle, the larger the cosine";
  const node = svg("svg", { viewBox: box, class: "map", role: "img", "aria-label": name }, rings, words, middle);
  const there = new Map(); // word → its group
  let before = new Map();

  function enter(word) {
    const group = svg("g", { class: "word new", onclick: () => go?.(word) });
    group.append(svg("path", { class: "lead" }), svg("circle", { r: 4 }), svg("text", {}, word));
    moved(group, [0, 0]);
    words.append(group);
    there.set(word, group);
    return group;
  }

  function leave(word) {
    const group = there.get(word);
    there.delete(word);
    group.classList.add("new");
    if (calm()) group.remove();
    else setTimeout(() => group.remove(), LEAVING);
  }

  function draw({ best, places, met, found }) {
    const shown = best.filter(Boolean);
    const farthest = Math.max(1, ...places.map(([x, y]) => Math.hypot(x, y)));
    const scale = RADIUS / farthest;
    const raw = new Map(shown.map((word, n) => [word, places[n].map((value) => value * scale)]));
    const points = aligned(raw, before);
    const names = namePlaces(points, found);
    before = points;
    middle.textContent = found;
    const circles = shown.length ? ringsFor(farthest) : [];
    rings.replaceChildren(
      ...circles.map((angle) => svg("circle", { r: angle * scale })),
      ...circles.map((angle) => {
        const [x, y] = freePlace(angle * scale, [[0, 0], ...points.values(), ...names.values()]);
        return svg("text", { x, y: y + 5 }, `${Number(angle.toPrecision(1))}°`);
      }),
    );
    for (const word of [...there.keys()]) if (!points.has(word)) leave(word);
    shown.forEach((word, n) => {
      const group = there.get(word) ?? enter(word);
      group.getBoundingClientRect(); // where it begins, before it glides
      const [[x, y], [u, v]] = [points.get(word), names.get(word)];
      const [lead, , label] = group.children;
      const far = Math.hypot(u - x, v - y) > 24;
      lead.setAttribute("d", far ? `M0 0L${(u - x).toFixed(1)} ${(v - y).toFixed(1)}` : "");
      moved(label, [u - x, v - y + 5]);
      moved(group, [x, y]);
      group.classList.remove("new");
      group.classList.toggle("met", Boolean(met[n]));
    });
  }
  return { node, draw };
}
