// One code cell of the page: an editor in the place of its code, two buttons, and the outputs of its last run.
import { editor, textOf } from "./editor.js";

export const make = (tag, properties = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inside);
  return element;
};

export const button = (textContent, onclick, ariaLabel = textContent) => make("button", { type: "button", textContent, onclick, ariaLabel });

// The name of the first function or class that code defines.
export const definedIn = (code) => code.match(/^(?:def|class) +(\w+)/m)?.[1];

export class Cell {
  // `place` is the cell's element, `name` its name for readers ("cell 5"), `key` the name of what is kept of it, `original`
  // the page's own code, `text` the reader's; `on` has functions: run(cell), changed(cell), add(cell) and perhaps remove(cell).
  constructor(place, { name, key, original, text = original }, on) {
    Object.assign(this, { place, name, key, original, hasRun: false, running: false });
    this.defined = definedIn(original);
    const box = place.querySelector(".cell_input");
    for (const shown of box.children) shown.hidden = true;
    this.view = editor({
      parent: box,
      text,
      label: `Code of ${name}. Shift+Enter runs it; Escape, then Tab, leaves it.`,
      run: () => on.run(this),
      changed: () => on.changed(this),
    });
    const buttons = [button("Run", () => on.run(this), `Run ${name}`), button("+ cell", () => on.add(this), `+ cell below ${name}`)];
    if (on.remove) buttons.push(button("−", () => on.remove(this), `Remove ${name}`));
    box.classList.add("do-it-editor");
    box.addEventListener("keydown", (event) => event.stopPropagation()); // "/" is a shortcut of the page elsewhere
    box.append(make("div", { className: "do-it-buttons" }, ...buttons));
  }

  get text() { return textOf(this.view); }

  // The element that shows the cell's outputs.
  get output() {
    const found = this.place.querySelector(".cell_output");
    if (found) return found;
    const made = make("div", { className: "cell_output docutils container" });
    (this.place.querySelector("details.hide") ?? this.place).append(made);
    return made;
  }

  begin() {
    this.running = true;
    this.place.classList.add("do-it-running");
    this.old = [...this.output.children]; // shown until something new comes
    this.output.setAttribute("role", "group");
    this.output.setAttribute("aria-label", `Output of ${this.name}`);
    this.output.setAttribute("aria-live", "polite");
  }

  clear() {
    for (const element of this.old) element.remove();
    this.old = [];
  }

  show({ kind, text }) {
    this.clear();
    if (kind === "html") {
      this.output.append(make("div", { className: "output text_html", innerHTML: text }));
    } else {
      const last = this.output.lastElementChild;
      const pre = kind === "text" && last?.dataset.kind === kind ? last.querySelector("pre") : this.box(kind);
      pre.append(text);
    }
  }

  box(kind) {
    const pre = make("pre");
    const box = make("div", { className: "output" }, make("div", { className: "highlight" }, pre));
    box.dataset.kind = kind;
    this.output.append(box);
    return pre;
  }

  finish(end) {
    this.running = false;
    if (end !== "stopped") this.clear();
    this.place.classList.remove("do-it-running");
    this.hasRun = end === "done";
    this.output.dispatchEvent(new Event("firth-output", { bubbles: true }));
  }

  // Says above the outputs that they are older than what stands there.
  mark(text) {
    const output = this.place.querySelector(".cell_output[aria-label]");
    if (!output) return;
    output.querySelector(".do-it-older")?.remove();
    output.prepend(make("p", { className: "do-it-older", textContent: text }));
  }
}
