// The one way in which a widget makes its controls, its numbers and its pictures.
//
// A control carries data-trait="m": the trait it changes. A number stands in
// <output data-name="counts.3.4">: its path in what answer(state) returned. `live` keeps both in
// step with the model, so a widget draws by hand only what is neither a control nor a number.

const SVG = "http://www.w3.org/2000/svg";
const PAUSE = 800; // milliseconds without a change before a summary is read out

/** Does the reader ask for less motion? Then nothing flashes and nothing glides. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** An HTML element; attributes that begin with "on" are listeners, children may be text. */
export function element(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/** An SVG element, likewise. */
export function svg(tag, attributes = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

/** Text in which `code` and *emphasis* are marked as in Markdown. */
export function prose(text) {
  const marked = text.split(/(`[^`]+`|\*[^*]+\*)/);
  return marked.map((part, i) =>
    i % 2 ? element(part[0] === "`" ? "code" : "em", {}, part.slice(1, -1)) : part,
  );
}

/** A place for a number (or words) of the answer; quiet ones are not read out at each change. */
export function output(path, digits = 0, quiet = true) {
  return element("output", {
    "data-name": path,
    "data-digits": digits,
    "aria-live": quiet ? "off" : "polite",
  });
}

/** A number with a true minus sign, and no minus before a zero. */
export function written(value, digits = 0) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) ? `−${text}` : text;
}

/** Change traits, here and in the kernel if there is one. */
export function change(model, traits) {
  for (const [name, value] of Object.entries(traits)) model.set(name, value);
  model.save_changes();
}

/** What stands at "x.0" in {x: [3, 4]}. */
function at(object, path) {
  return path.split(".").reduce((value, key) => value?.[key], object);
}

function changeAt(model, path, value) {
  const [name, index] = path.split(".");
  change(model, { [name]: index ? model.get(name).with(Number(index), value) : value });
}

function labelled(label, input, ...after) {
  const kind = `control ${input.type ?? ""}`;
  return element("div", { class: kind }, element("label", {}, label, input), ...after);
}

/** A labelled slider that shows its value, or what the answer says in its place. */
export function range(model, trait, label, limits, shown = trait, digits = 0) {
  const oninput = (event) => changeAt(model, trait, Number(event.target.value));
  const slider = element("input", { type: "range", "data-trait": trait, oninput, ...limits });
  return labelled(label, slider, output(shown, digits));
}

/** A labelled number, typed or stepped: beyond a limit it is the limit, else the nearest step. */
export function number(model, trait, label, limits) {
  const { min, max, step } = limits;
  const within = (value) => Math.min(max, Math.max(min, value));
  const take = (box, value) => {
    changeAt(model, trait, value);
    if (box.value === "" || Number(box.value) !== value) box.value = value;
  };
  const oninput = ({ target: box }) => {
    const typed = Number(box.value);
    const unfinished = box.value === "" || (box.validity.stepMismatch && within(typed) === typed);
    if (!unfinished) take(box, within(typed));
  };
  const onchange = ({ target: box }) => {
    const [name, index] = trait.split(".");
    const typed = box.value === "" ? [model.get(name)].flat()[index ?? 0] : Number(box.value);
    take(box, within(min + step * Math.round((typed - min) / step)));
  };
  const events = { oninput, onchange };
  const box = element("input", { type: "number", "data-trait": trait, ...events, ...limits });
  return labelled(label, box);
}

/** A labelled choice among [value, text]; a group is [text, [choices]]. */
export function select(model, trait, label, choices) {
  const option = ([value, text]) =>
    Array.isArray(text)
      ? element("optgroup", { label: value }, ...text.map(option))
      : element("option", { value }, text);
  const onchange = (event) => changeAt(model, trait, event.target.value);
  const box = element("select", { "data-trait": trait, onchange }, ...choices.map(option));
  return labelled(label, box);
}

export function button(label, press, attributes = {}) {
  return element("button", { type: "button", onclick: press, ...attributes }, label);
}

export const block = (kind, ...children) => element("div", { class: kind }, ...children);

/** A table whose columns have names, and whose rows begin with theirs; cells are outputs. */
export function table(kind, caption, names, lines) {
  const head = (scope) => (name) => element("th", { scope }, ...[name].flat());
  const heads = names.map(head("col"));
  const rows = lines.map(([name, ...cells]) =>
    element("tr", {}, head("row")(name), ...cells.map((cell) => element("td", {}, cell))),
  );
  const node = element(
    "table",
    { class: kind },
    element("caption", {}, ...[caption].flat()),
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows),
  );
  return { node, heads, rows };
}

function write(node, value) {
  const digits = Number(node.dataset.digits);
  const text = typeof value === "number" ? written(value, digits) : [value ?? ""].flat().join(", ");
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Leave the keys that are pressed inside a view to the view. In JupyterLab and Notebook an arrow key
 * on a slider would select another cell, and "dd" would delete one: they ignore a key only if the
 * focused element says so, and ask before its own listeners run. Combinations with Ctrl, Alt or the
 * command key still reach the notebook, for example to save it. Returns the clean-up.
 */
function keepKeys(el) {
  const mark = (event) => {
    if (!el.contains(event.target)) return;
    const shortcut = event.ctrlKey || event.metaKey || event.altKey;
    event.target.toggleAttribute("data-lm-suppress-shortcuts", !shortcut);
  };
  addEventListener("keydown", mark, true);
  return () => removeEventListener("keydown", mark, true);
}

/**
 * Put the parts in place, and at every change of a trait compute the answer, write it into the
 * outputs, set the controls, and call draw(answer, state) for the rest of the picture. When the
 * changes pause, spoken(answer, state) is read out. Returns the clean-up that render must return.
 */
export function live({ model, el }, { name, parts, traits, answer, draw = () => {}, spoken }) {
  const summary = element("p", { class: "heard", "aria-live": "polite" });
  el.classList.add("firth-view", name);
  el.replaceChildren(...parts, ...(spoken ? [summary] : []));
  let [said, pause] = ["", null];
  const say = (sentence) => {
    clearTimeout(pause);
    if (said) pause = setTimeout(() => (summary.textContent = sentence), PAUSE); // not the first
    said = sentence;
  };
  const outputs = [...el.querySelectorAll("output[data-name]")];
  const controls = [...el.querySelectorAll("[data-trait]")];
  const update = () => {
    const state = Object.fromEntries(traits.map((trait) => [trait, model.get(trait)]));
    const result = answer(state);
    const known = { ...state, ...result };
    for (const node of outputs) write(node, at(known, node.dataset.name));
    for (const node of controls) {
      const value = String(at(state, node.dataset.trait) ?? "");
      const typing = node === document.activeElement && Number(node.value) === Number(value);
      if (node.value !== value && !typing) node.value = value;
    }
    draw(result, state);
    if (spoken) say(spoken(result, state));
  };
  for (const trait of traits) model.on(`change:${trait}`, update);
  update();
  const releaseKeys = keepKeys(el);
  return () => {
    clearTimeout(pause);
    releaseKeys();
    traits.forEach((trait) => model.off(`change:${trait}`, update));
  };
}
