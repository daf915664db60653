// The words of a sentence, and the neighbours of each within a window of m words on both sides.

/** The words of a text in lower case, each with the place where it begins. @returns {[string, number][]} */
function found(text) {
  const plain = text.replaceAll("’", "'").toLowerCase();
  return [...plain.matchAll(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu)].map(({ 0: word, index }) => [word, index]);
}

export const wordsOf = (text) => found(text).map(([word]) => word);

/** The positions within m words of position t, from left to right: fewer at both ends. */
export function neighbourPositions(words, m, t) {
  return words.map((_, j) => j).filter((j) => j !== t && Math.abs(j - t) <= m);
}

/** What a sentence is made of, in its own spelling: text, or a word as [text]. */
export function pieces(text) {
  const parts = [];
  let from = 0;
  for (const [word, start] of found(text)) {
    parts.push(text.slice(from, start), [text.slice(start, start + word.length)]);
    from = start + word.length;
  }
  return [...parts, text.slice(from)];
}
