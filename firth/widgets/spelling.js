// The words of a list that are spelled most like a word, for a reader who has mistyped it.

const SUGGESTED = 3;

/** How many letters must be put in, left out, replaced or swapped with the next to make b of a. */
function edits(a, b) {
  let [earlier, before] = [[], []];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    [earlier, before, row] = [before, row, [i]];
    for (let j = 1; j <= b.length; j++) {
      const same = before[j - 1] + (a[i - 1] !== b[j - 1]);
      row[j] = Math.min(before[j] + 1, row[j - 1] + 1, same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], earlier[j - 2] + 1);
    }
  }
  return row.at(-1);
}

/** At most three of the words, those that need the fewest edits, and at most `most` of them; the earlier first. */
export function spelledLike(word, words, most = 99) {
  const near = words.filter((other) => Math.abs(other.length - word.length) <= most);
  const counted = near.map((other) => [edits(word, other), other]).filter(([n]) => n <= most);
  return counted.sort(([n], [m]) => n - m).slice(0, SUGGESTED).map(([, other]) => other);
}
