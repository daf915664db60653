// WordPiece, as firth/bert/wordpiece.py has it: from any text to the longest pieces of a list.

export const LONGEST = 100; // letters of a word; of more no piece is sought
export const SIGNS = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/;
const BLANK = /[\t\n\r\p{Z}]/gu;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu;
const HAN =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const MARK = /\p{Mn}/gu;
const SIGN = /[!-/:-@[-`{-~\p{P}]/gu;

/** Special signs stand for themselves; the change is made to what is between them. */
const between = (text, changed) =>
  text.split(SIGNS).map((part, i) => (i % 2 ? part : changed(part)));

/** Each letter by itself: else a last σ would become ς. */
const small = (text) => Array.from(text, (letter) => letter.toLowerCase()).join("");

/** The text as BERT reads it: without capitals, accents and what cannot be seen. */
export function normalised(text) {
  const clean = (part) => part.replace(BLANK, " ").replace(UNSEEN, "").replace(HAN, " $& ");
  const bare = (part) => small(clean(part).normalize("NFD").replace(MARK, ""));
  return between(text, bare).join("");
}

/** The words and signs of a text: no piece reaches across them. */
export function pretokens(text) {
  const parts = between(normalised(text), (part) => part.replace(SIGN, " $& "));
  return parts.join(" ").split(" ").filter(Boolean);
}

/** Each place of a word at which a piece was sought: what was tried in vain, what was found. */
export function steps(word, numbers) {
  const [letters, made] = [[...word], []];
  if (letters.length > LONGEST) return made;
  let start = 0;
  while (start < letters.length) {
    const failed = [];
    let [end, found] = [letters.length, null];
    for (; end > start && !found; end--) {
      const part = (start ? "##" : "") + letters.slice(start, end).join("");
      if (numbers.has(part)) found = part;
      else failed.push(part);
    }
    made.push({ failed, found });
    if (!found) break;
    start = end + 1;
  }
  return made;
}

/** The pieces of one word. */
export function pieces(word, numbers) {
  const found = steps(word, numbers).map((step) => step.found);
  return found.length && !found.includes(null) ? found : ["[UNK]"];
}

// The same list always gives the same numbers: it is read once, and not at every letter typed.
let kept = {};

/** The number of each piece of a list that has a line for each. */
export function numbered(words) {
  if (kept.words !== words) {
    const list = words.split("\n");
    kept = { words, numbers: new Map(list.map((piece, i) => [piece, i])) };
  }
  return kept.numbers;
}
