// Arrows in a plane and the names beside their tips, for the drawings of this chapter.

/** The path of an arrow, with a head if it is long enough to have one. */
export function arrowPath([x1, y1], [x2, y2], pointed = true) {
  const [length, turn] = [Math.hypot(x2 - x1, y2 - y1), Math.atan2(y2 - y1, x2 - x1)];
  const size = Math.min(10, length / 2);
  const at = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const wing = (by) => at(x2 - size * Math.cos(turn + by), y2 - size * Math.sin(turn + by));
  const head = length < 3 || !pointed ? "" : `M${wing(0.45)}L${at(x2, y2)}L${wing(-0.45)}`;
  return `M${at(x1, y1)}L${at(x2, y2)}${head}`;
}

/**
 * Places for the names of points, where no other name and none of the lines is; those away from the origin come
 * first. `letter` is the width of a letter, about, and the drawing is `width` × `height`.
 */
export function namePlaces([x0, y0], points, texts, lines, { width, height, letter }) {
  const along = ([[x1, y1], [x2, y2]]) =>
    [0, 0.25, 0.5, 0.75, 1].map((t) => ({ u: x1 + t * (x2 - x1), v: y1 + t * (y2 - y1) + 5, wide: 0 }));
  const taken = lines.flatMap(along);
  return points.map(([x, y], i) => {
    const wide = letter * texts[i].length;
    const [left, middle] = [-wide - 10, -wide / 2];
    const around = [[10, 5], [middle, -12], [middle, 24], [left, 5], [left + 6, -12], [10, 24], [10, -14], [left, 24]];
    const outward = ([dx, dy]) => ((dx + wide / 2) * (x - x0) + (dy - 5) * (y - y0)) / Math.hypot(dx + wide / 2, dy - 5);
    around.sort((a, b) => outward(b) - outward(a));
    const spots = around.map(([dx, dy]) => [Math.min(width - wide - 2, Math.max(2, x + dx)), y + dy]);
    const free = ([u, v]) =>
      v > 14 && v < height - 4 &&
      taken.every((b) => b.u > u + wide || b.u + b.wide < u || Math.abs(b.v - v) > (b.wide ? 17 : 10));
    const [u, v] = spots.find(free) ?? spots[0];
    taken.push({ u, v, wide });
    return { x: u, y: v };
  });
}
