import { block, button, element, output, range, select, table } from "../controls.js";
import { calm, change, live } from "../controls.js";

export const traits = ["text", "words", "chosen", "m", "centre", "reading"];

/** The places within m words of place t; the window stops at both ends of the text. */
function company(words, m, t) {
  const places = [];
  for (let j = Math.max(0, t - m); j <= Math.min(words.length - 1, t + m); j++) {
    if (j !== t) places.push(j);
  }
  return places;
}

/**
 * What has been counted when the window has passed places 0 … centre: a pair counts when its
 * first word is the centre, so the table is symmetric only when the window has reached the end.
 */
export function answer({ words, chosen, m, centre, reading }) {
  const ids = words.map((word) => chosen.indexOf(word));
  const counts = chosen.map(() => chosen.map(() => 0));
  let changed = [];
  for (let t = 0; t <= centre; t++) {
    const pairs = company(words, m, t).map((j) => [ids[t], ids[j]]);
    changed = pairs.filter(([i, j]) => i >= 0 && j >= 0);
    for (const [i, j] of changed) counts[i][j] += 1;
  }
  const row = counts[chosen.indexOf(reading)];
  const kept = chosen.map((word, j) => [word, row[j]]).filter(([, count]) => count);
  kept.sort(([, a], [, b]) => b - a);
  return {
    counts,
    changed,
    company: kept.map(([word, count]) => `${word} ${count}`).join(", ") || "no one yet",
    word: words[centre],
    neighbours: company(words, m, centre).map((j) => words[j]),
    passed: centre + 1,
    total: words.length,
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ passed, total, word, company: kept }, { reading }) {
  return `After ${passed} of ${total} words, at ${word}: ${reading} keeps company with ${kept}.`;
}

/** The text as paragraphs of marked words, each in the order and the spelling of the page. */
function passage(text, words) {
  const paragraphs = [element("p")];
  const spans = [];
  const lower = text.toLowerCase().replaceAll("’", "'");
  let from = 0;
  for (const word of words) {
    const start = lower.indexOf(word, from);
    const gap = text.slice(from, start).split(/\n\s*\n/);
    paragraphs.at(-1).append(gap[0]);
    for (const opening of gap.slice(1)) paragraphs.push(element("p", {}, opening));
    from = start + word.length;
    const span = element("span", { "data-place": spans.length }, text.slice(start, from));
    paragraphs.at(-1).append(span);
    spans.push(span);
  }
  paragraphs.at(-1).append(text.slice(from));
  return { paragraphs, spans };
}

function grid(chosen) {
  const heads = chosen.map((word) => element("span", {}, word));
  const numbers = (i) => chosen.map((_, j) => output(`counts.${i}.${j}`));
  const lines = chosen.map((word, i) => [word, ...numbers(i)]);
  return table("counts", "how often the window has seen them together", ["word", ...heads], lines);
}

function render({ model, el }) {
  const { paragraphs, spans } = passage(model.get("text"), model.get("words"));
  const chosen = model.get("chosen");
  const { node: grown, rows } = grid(chosen);
  const cell = (i, j) => rows[i].cells[j + 1];
  const last = spans.length - 1;
  const move = (place) => change(model, { centre: Math.min(last, Math.max(0, place)) });
  const step = (by) => move(model.get("centre") + by);

  let playing = null;
  const stop = () => {
    clearInterval(playing);
    playing = null;
    play.textContent = "Play";
  };
  const toggle = () => {
    if (playing) return stop();
    if (model.get("centre") >= last) move(0);
    play.textContent = "Pause";
    playing = setInterval(() => (model.get("centre") < last ? step(1) : stop()), 350);
  };
  const play = button("Play", toggle, { class: "first" });
  const halt = (act) => () => (stop(), act());

  const onclick = ({ target: { dataset } }) => {
    if (dataset.place) halt(() => move(Number(dataset.place)))();
  };
  const onkeydown = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    halt(() => step(by))();
  };
  const label = "The passage. Arrow keys move the window; so does a press on a word.";
  const page = element(
    "div",
    { class: "passage", tabindex: 0, role: "group", "aria-label": label, onclick, onkeydown },
    ...paragraphs,
  );

  // Only the passage scrolls, never the page around it.
  const follow = (word) => {
    const [inner, outer] = [word, page].map((node) => node.getBoundingClientRect());
    page.scrollTop += inner.top - outer.top - page.clientHeight / 2.4;
  };

  const place = range(model, "centre", "Place of the centre", { min: 0, max: last }, "passed");

  function draw({ counts, changed, passed, word }, { m, centre, reading }) {
    if (playing && centre === last) stop();
    place.querySelector("input").setAttribute("aria-valuetext", `${passed}, ${word}`);
    spans.forEach((span, place) => {
      span.className = place === centre ? "centre" : Math.abs(place - centre) <= m ? "near" : "";
    });
    if (page.isConnected) follow(spans[centre]);
    else requestAnimationFrame(() => follow(spans[centre]));
    const most = Math.max(1, ...counts.flat());
    counts.forEach((row, i) => {
      rows[i].classList.toggle("read", chosen[i] === reading);
      row.forEach((count, j) => {
        cell(i, j).style.setProperty("--weight", count / most);
        cell(i, j).className = count ? "some" : "none";
      });
    });
    for (const [i, j] of changed) {
      cell(i, j).classList.add("now");
      if (!calm()) cell(i, j).animate({ opacity: [0.2, 1] }, 300);
    }
  }

  const said = ["Centre ", output("word"), " keeps company with ", output("neighbours"), "."];
  const read = ["After ", output("passed"), " of ", output("total"), " words: "];
  const parts = [
    block(
      "bar",
      play,
      button("Step", halt(() => step(1))),
      button("To the end", halt(() => move(last))),
      button("Start over", halt(() => move(0))),
      range(model, "m", "Half-width m", { min: 1, max: 5 }),
    ),
    place,
    block("columns", block("page", page, element("p", { class: "said" }, ...said)), grown),
    block(
      "readout",
      select(model, "reading", "Read the row of", chosen.map((word) => [word, word])),
      element("p", {}, ...read, output("company")),
    ),
  ];
  const cleanUp = live({ model, el }, { name: "lsa-window", parts, traits, answer, draw, spoken });
  return () => (stop(), cleanUp());
}

export default { render };
