import { block, button, calm, change, element, live, number, output, range, table } from "../controls.js";
import { written } from "../controls.js";
import { gpt, writing } from "./gpt.js";
import { strangeness, typed } from "./typed_text.js";

export const traits = [
  ...["alphabet", "shape", "weights", "hers"],
  ...["prompt", "tau", "k", "seed", "length"],
];

const [SHOWN, LONGEST, PIECE, MOST] = [9, 60, 200, 600]; // letters: to come, of a prompt, written
const [FEW, SLICE] = [3, 8]; // letters a frame, and milliseconds
const WORDS = { "\n": "new paragraph", " ": "blank" }; // letters that cannot be seen

/** Why a text cannot be a prompt; nothing if it can. */
export const refusal = (text, alphabet) => strangeness(text, LONGEST, "A prompt", alphabet);

/** The ids that are read before anything is written: an empty prompt opens a paragraph. */
const opening = ({ prompt, alphabet }) =>
  [...(prompt || "\n")].map((letter) => alphabet.indexOf(letter));

const begun = (state) => writing(opening(state), state, gpt(state.weights), state.shape);

/** What a view shows of a text as far as it is written. */
function told({ ids, seen, p, surprise }, { alphabet, prompt }) {
  const start = prompt.length || 1;
  const order = Array.from(p.keys()).sort((x, y) => p[y] - p[x]);
  const shares = order.slice(0, SHOWN).map((x) => 100 * p[x]);
  return {
    text: ids.slice(start).map((x) => alphabet[x]).join(""),
    seen,
    forgotten: ids.length - seen,
    surprise: surprise / Math.max(1, ids.length - start),
    letters: order.slice(0, SHOWN).map((x) => WORDS[alphabet[x]] ?? alphabet[x]),
    shares,
    rest: 100 - shares.reduce((sum, share) => sum + share, 0),
  };
}

/** The text that follows the prompt, and what could come after it. */
export function answer(state) {
  const end = (state.prompt.length || 1) + state.length;
  for (const now of begun(state)) if (now?.ids.length === end) return told(now, state);
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ text, surprise, letters, shares }, { prompt, tau, hers }) {
  const cost = `It surprises itself by ${written(surprise, 2)} nats a letter, Persuasion by ${written(hers, 2)}`;
  const next = `next, ${letters[0]} is likeliest, ${written(shares[0])} %`;
  return `At τ ${written(tau, 1)}: ${prompt}${text} … ${cost}; ${next}.`;
}

/**
 * `answer` at a pace at which it can be watched: each call writes a few letters more and, while
 * the text is not whole, has itself called again by `again` at the next frame. Where less motion
 * is wanted it is whole at once. To ask for more of the same text goes on where it stopped.
 */
function paced(again) {
  let [key, run, now, frame] = ["", null, null, 0];
  const stop = () => cancelAnimationFrame(frame);
  const shown = (state) => {
    stop();
    const wanted = JSON.stringify([state.prompt, state.tau, state.k, state.seed]);
    const end = (state.prompt.length || 1) + state.length;
    if (key !== wanted || now.ids.length > end) [key, run, now] = [wanted, begun(state), null];
    const most = calm() ? Infinity : (now?.ids.length ?? end - state.length) + FEW;
    const until = calm() ? Infinity : performance.now() + SLICE;
    while (!now || (now.ids.length < Math.min(end, most) && performance.now() < until))
      now = run.next().value ?? now;
    if (now.ids.length < end) frame = requestAnimationFrame(again);
    return told(now, state);
  };
  return { shown, stop };
}

function render({ model, el }) {
  // To `live`, a frame in which letters were written is one more trait that changes.
  let redraw;
  const pace = paced(() => redraw());
  const heard = (event, f, how) => (event === "change:frame" ? (redraw = f) : model[how](event, f));
  const local = {
    get: (name) => model.get(name),
    on: (event, f) => heard(event, f, "on"),
    off: (event, f) => heard(event, f, "off"),
  };

  const percent = (path) => element("span", {}, output(path, 1), " %");
  const numbers = Array.from({ length: SHOWN }, (_, n) => n);
  const coming = numbers.map((n) => [output(`letters.${n}`), percent(`shares.${n}`)]);
  const lines = [...coming, ["all others", percent("rest")]];
  const letters = table("coming", "The next letter", ["letter", "share"], lines);
  const [lost, kept] = [element("span", { class: "lost" }), element("span", { class: "kept" })];
  const text = element("p", { class: "text" }, lost, kept);
  const how = (...parts) => element("p", { class: "how" }, ...parts);
  const seen = ["For the next letter it sees the last ", output("seen"), " letters"];
  const before = [output("forgotten"), " before them, in grey, are forgotten"];
  const gone = element("span", {}, "; the ", ...before);
  const own = ["A letter of this text surprises it by ", output("surprise", 2), " nats, one of "];
  const novel = element("cite", {}, "Persuasion");
  const facts = [
    how(...seen, gone, "."),
    how(...own, novel, ", which it has not read, by ", output("hers", 2), "."),
  ];

  // The prompt is set apart, and what is forgotten in grey: so there are up to four pieces.
  function draw({ text, forgotten, shares, rest }, { prompt, length }) {
    const whole = (prompt || "\n") + text;
    const first = prompt ? 0 : 1; // the end of a paragraph that is not shown
    const cut = [first, forgotten, prompt.length, whole.length].map((n) => Math.max(first, n));
    const [from, grey, asked, end] = cut;
    const piece = (start, stop) => whole.slice(start, Math.max(start, stop));
    lost.replaceChildren(
      element("b", {}, piece(from, Math.min(asked, grey))),
      piece(Math.min(asked, grey), grey),
    );
    kept.replaceChildren(element("b", {}, piece(grey, asked)), piece(Math.max(asked, grey), end));
    [...shares, rest].forEach((share, n) =>
      letters.rows[n].style.setProperty("--weight", share / 100),
    );
    gone.hidden = !forgotten;
    more.disabled = length >= MOST;
    box.settle(prompt);
  }

  const box = typed(model, "prompt", "Begin with", refusal, { length: PIECE });
  const again = () => change(model, { length: PIECE, seed: model.get("seed") + 1 });
  const on = () => change(model, { length: Math.min(MOST, model.get("length") + PIECE) });
  const more = button("Continue", on);
  const parts = [
    block("bar", box.node, button("Again", again, { class: "first" }), more),
    box.refused,
    block(
      "knobs",
      range(model, "tau", "Temperature τ", { min: 0, max: 1.5, step: 0.1 }, "tau", 1),
      number(model, "k", "Only the k likeliest", { min: 1, max: model.get("alphabet").length, step: 1 }),
    ),
    block("columns", block("page", text, ...facts), letters.node),
  ];
  const view = { name: "transformer-austen", parts, traits: [...traits, "frame"] };
  const leave = live({ model: local, el }, { ...view, answer: pace.shown, draw, spoken });
  return () => (pace.stop(), leave());
}

export default { render };
