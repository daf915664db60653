// A table of numbers as strips of shaded cells, a row each.

import { svg } from "./controls.js";

const [LEVELS, FULL] = [6, 0.88]; // shades of each sign; the share of a row that is not gap

/** One path for each shade, of all the cells that have it; a long row is folded into several. */
export function strips(values, wide, most) {
  const level = (value) => Math.sign(value) * Math.round(LEVELS * Math.sqrt(Math.abs(value) / most));
  const shade = (value) => (value === null ? "none" : level(value)); // by the root: few are large
  const [lines, paths] = [Math.ceil(values[0].length / wide), new Map()];
  values.forEach((row, i) => {
    const shades = row.map(shade);
    for (let j = 0; j < row.length; j++) {
      if (shades[j] === 0) continue;
      const from = j; // neighbours of one shade are drawn as one
      while ((j + 1) % wide && shades[j + 1] === shades[from]) j++;
      const [high, across] = [FULL / lines, j + 1 - from];
      const [x, y] = [from % wide, i + (1 - FULL) / 2 + Math.floor(from / wide) * high];
      const cells = `M${x} ${y}h${across}v${high}h${-across}z`;
      paths.set(shades[from], (paths.get(shades[from]) ?? "") + cells);
    }
  });
  return Array.from(paths, ([level, d]) => {
    const kind = level === "none" ? "none" : level > 0 ? "plus" : "minus";
    return svg("path", { d, class: kind, style: `--weight: ${Math.abs(level) / LEVELS || 0}` });
  });
}
