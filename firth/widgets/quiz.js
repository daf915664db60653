import { button, change, element, live, output, prose } from "./controls.js";

const asked = ["key", "question", "options", "order", "values", "tolerance"];
export const traits = [...asked, "feedback", "otherwise", "right", "given"];

/** Which option was given: the one pressed, or the first whose value is near the number typed. */
export function answer({ values, tolerance, feedback, otherwise, right, given }) {
  if (given === null) return { picked: null, verdict: "", says: "" };
  const near = (value) => Math.abs(given - value) <= tolerance;
  const picked = values.length ? values.findIndex(near) : given;
  const verdict = picked === right ? "Right." : "No.";
  return { picked, verdict, says: picked < 0 ? otherwise : feedback[picked] };
}

// A browser may forbid storage (a sandbox, a private window): then the quiz forgets, and works.
function remembered(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {}
}

/** The options in the order in which they are shown; a radio's value is the option's own number. */
function choices(model, name, give) {
  return model.get("order").map((i) => {
    const radio = element("input", { type: "radio", name, value: i, onchange: () => give(i) });
    const option = model.get("options")[i];
    return element("label", { class: "option" }, radio, element("span", {}, ...prose(option)));
  });
}

function numeric(give) {
  const box = element("input", { type: "number", step: "any", "aria-label": "Your number" });
  const onsubmit = (event) => {
    event.preventDefault();
    if (box.value !== "") give(Number(box.value));
  };
  const check = button("Check", () => {}, { type: "submit" });
  return element("form", { class: "bar", onsubmit }, box, check);
}

function render({ model, el }) {
  const key = `firth.quiz.${model.get("key")}`;
  const isNumeric = model.get("values").length > 0;
  const give = (given) => (remember(key, given), change(model, { given }));
  const body = isNumeric ? [numeric(give)] : choices(model, `${key}.${Math.random()}`, give);
  const says = element("span");
  const verdict = element("p", { class: "verdict", role: "status" }, output("verdict"), " ", says);

  const question = element("legend", {}, ...prose(model.get("question")));
  const set = element("fieldset", {}, question, ...body, verdict);
  function draw({ picked, says: words, verdict: word }, { given, right }) {
    verdict.hidden = !word;
    says.replaceChildren(...prose(words));
    set.dataset.verdict = given === null ? "" : picked === right ? "right" : "wrong";
    for (const radio of set.querySelectorAll("input[type=radio]"))
      radio.checked = Number(radio.value) === picked;
    const box = set.querySelector("input[type=number]");
    if (box && given !== null && Number(box.value) !== given) box.value = given;
  }

  const stored = remembered(key);
  const fits = isNumeric ? Number.isFinite(stored) : body[stored] !== undefined;
  if (model.get("given") === null && fits) change(model, { given: stored });
  return live({ model, el }, { name: "quiz", parts: [set], traits, answer, draw });
}

export default { render };
