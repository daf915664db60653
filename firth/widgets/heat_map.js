// A table of numbers −1 … 1 as colour: what is above 0 in one, what is below in another.

import { element, svg } from "./controls.js";

let masks = 0; // each view's own, since an id belongs to the whole page

/** Numbers −1 … 1 as two masks, of what is above 0 and of what is below: the page gives colours. */
export function heatMasks(width, height) {
  const ids = ["plus", "minus"].map((sign) => `heat-${sign}-${(masks += 1)}`);
  const size = { width, height };
  const images = ids.map(() => svg("image", { ...size, preserveAspectRatio: "none" }));
  const units = { maskUnits: "userSpaceOnUse", x: 0, y: 0, ...size };
  const nodes = ids.map((id, n) => svg("mask", { id, ...units }, images[n]));
  const canvas = element("canvas", size);
  const paint = (P) =>
    images.forEach((image, n) => {
      const pixels = new ImageData(width, height);
      P.flat().forEach((value, at) => {
        pixels.data[4 * at + 3] = 255 * Math.max(0, n ? -value : value); // how opaque, and no more
      });
      canvas.getContext("2d").putImageData(pixels, 0, 0);
      image.setAttribute("href", canvas.toDataURL());
    });
  const fills = () => ids.map((id, n) => svg("rect", { ...size, class: n ? "minus" : "plus", mask: `url(#${id})` }));
  return { nodes, fills, paint };
}
