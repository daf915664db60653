// What the explorer shows for its present choices, the same numbers as `answer` in explorer.py.

import { spelledLike } from "../spelling.js";
import { nearestWords, neighboursOf, readSpace, sumOfNeighbours, vectorOf, wordsOf } from "./word_space.js";

const SHOWN = 10;

function unknownWord(word, suggested, n) {
  const mean = suggested.length ? ` Did you mean ${suggested.join(" or ")}?` : "";
  return `“${word}” is not among the ${n.toLocaleString("en-GB")} most frequent words.${mean}`;
}

function nearWord(asked, known) {
  const word = asked.word.trim().toLowerCase();
  const { words, number, columns } = known;
  if (!word) return { said: "Type a word." };
  if (!number.has(word)) {
    const [near, farther] = [1, 2].map((most) => spelledLike(word, words, most));
    const suggested = near.length ? near : farther;
    return { said: unknownWord(word, suggested, words.length), suggested };
  }
  const i = number.get(word);
  const near = nearestWords(known, vectorOf(columns, asked.k, i), SHOWN, i);
  const met = near.best.map(() => false);
  return { ...near, met, found: word, said: `The word nearest to ${word} is ${near.best[0]}.` };
}

function nearNewWord(asked, known, signs) {
  const name = wordsOf(asked.name)[0];
  if (!name) return { said: "Type a new word into the first box." };
  const sentences = asked.text.split(/[.!?\n]+/);
  if (!sentences.some((sentence) => wordsOf(sentence).includes(name)))
    return { said: `No sentence contains “${name}”.` };
  const times = neighboursOf(sentences, name, known.number, asked.m);
  if (!times.length) return { said: `None of the neighbours of “${name}” is among the words here.` };
  if (!times.some(([word]) => known.idf[known.number.get(word)]))
    return { said: `Every word has met the neighbours of “${name}”: they say nothing.` };
  const near = nearestWords(known, sumOfNeighbours(known, times, signs, asked.k), SHOWN);
  const weigh = ([word, n]) => ({ word, n, idf: known.idf[known.number.get(word)] });
  const tied = ({ n, idf }) => Math.round(n * idf * 1e9);
  const arrows = times.map(weigh).sort((a, b) => tied(b) - tied(a)).slice(0, SHOWN);
  const stands = new Set(times.map(([word]) => word));
  const others = near.best.filter((word) => !stands.has(word)).slice(0, 3);
  const said = `Nearest to ${name}, apart from its neighbours: ${others.join(", ")}.`;
  return {
    ...near,
    met: near.best.map((word) => stands.has(word)),
    found: name,
    said: others.length ? said : `The words nearest to ${name} are its own neighbours.`,
    nearby: arrows.map(({ word }) => word),
    times: arrows.map(({ n }) => n),
    weights: arrows.map(({ idf }) => idf),
    lengths: arrows.map(({ n, idf }) => n * idf),
    others: times.length - arrows.length,
  };
}

const LISTS = ["best", "cosines", "met", "nearby", "times", "weights", "lengths"];

/** The ten words nearest to a word, or to a new one; where each contribution comes from. */
export function explored({ space, mode, ...state }) {
  const asked = { ...state, m: space.m, weighting: space.weighting, ...space.only };
  const known = readSpace(space);
  const shown = mode === "a word" ? nearWord(asked, known) : nearNewWord(asked, known, space.signs);
  const filled = LISTS.map((name) => {
    const values = shown[name] ?? [];
    return [name, [...values, ...Array(SHOWN).fill(null)].slice(0, SHOWN)];
  });
  const { weighting, m, k } = asked;
  const settings = `${weighting}, ${m} ${m === 1 ? "word" : "words"} on each side, k = ${k}`;
  const none = { suggested: [], found: "", others: 0, places: [] };
  return { ...none, ...shown, ...Object.fromEntries(filled), settings };
}
