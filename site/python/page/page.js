// An exercise that is done on its page: every code cell becomes an editor, Python runs them, and the answers are kept.
import { button, Cell, definedIn, make } from "./cell.js";
import { Kept } from "./kept.js";
import { Python } from "./runtime.js";
import { writtenAnswers } from "./written.js";

const BROKE_DOWN = "Python broke down and a new one starts, which has run nothing yet. Your text is still here.";
const STOPPED = "Stopped. A new Python starts, which has run nothing yet.";
const NOT_KEPT = "This browser does not keep your answers: they are gone when you leave this page.";

class Exercise {
  constructor(name, bytes) {
    this.kept = new Kept(name);
    this.cells = [];
    this.added = 0;
    this.makeBar();
    this.openCells();
    this.written = writtenAnswers(this.kept, (saved) => this.warn(saved));
    this.showWhatIsLeft();
    this.python = new Python({ exercise: name, bytes }, {
      progress: (done, total) => this.arriving(done, total),
      ready: () => this.started(),
      failed: (why) => this.say(`Python did not start. Is there a connection? (${why})`),
      died: () => this.interrupted(BROKE_DOWN),
    });
    this.python.start();
  }

  makeBar() {
    const stop = () => {
      this.python.stop();
      this.interrupted(STOPPED);
    };
    this.stop = Object.assign(button("Stop", stop), { disabled: true });
    this.again = Object.assign(button("Run again what had run", () => this.runAll(this.before)), { hidden: true });
    this.bytes = make("progress", { ariaLabel: "Loading Python" });
    this.megabytes = make("span");
    this.state = make("span", { role: "status" });
    this.problem = make("span", { className: "do-it-problem", textContent: this.kept.problem });
    const all = button("Run all cells", () => this.runAll([...this.cells]));
    const erase = button("Erase my answers", () => this.erase());
    const licences = make("a", { textContent: "Licences", href: new URL("notice.txt", import.meta.url).href });
    const parts = [this.stop, this.again, all, erase, this.bytes, this.megabytes, this.state, this.problem, licences];
    document.body.append(make("section", { className: "do-it-bar d-print-none", ariaLabel: "Python in this page" }, ...parts));
  }

  say(text) { this.state.textContent = text; }

  warn(saved) { if (!saved) this.problem.textContent = NOT_KEPT; }

  arriving(done, total) {
    Object.assign(this.bytes, { max: total, value: done, hidden: false });
    this.megabytes.textContent = `${(done / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`;
  }

  started() {
    this.bytes.hidden = true;
    this.megabytes.textContent = "";
    if (!this.stop.disabled) return; // a cell runs already
    this.say(this.before ? "Python is ready again. It has run nothing yet." : "Python is ready.");
  }

  // The cells of the page, each with what the reader has written in it and the cells that they have added below it.
  openCells() {
    const places = [...document.querySelectorAll(".bd-article div.cell")].filter((place) => place.querySelector(".cell_input pre"));
    const times = new Map();
    for (const [i, place] of places.entries()) {
      const original = place.querySelector(".cell_input pre").textContent.replace(/\n$/, "");
      const known = definedIn(original) ?? original;
      times.set(known, (times.get(known) ?? 0) + 1);
      const key = times.get(known) > 1 ? `${known} #${times.get(known)}` : known;
      const cell = new Cell(place, { name: `cell ${i + 1}`, key, original, text: this.kept.get("cells", key) }, this.handlers());
      this.cells.push(cell);
      for (const text of [...(this.kept.get("added", key) ?? [])].reverse()) this.insert(cell, text);
    }
  }

  handlers() {
    return { run: (cell) => this.run(cell), changed: (cell) => this.changed(cell), add: (cell) => this.add(cell) };
  }

  insert(above, text) {
    const place = make("div", { className: "cell docutils container" }, make("div", { className: "cell_input docutils container" }));
    above.place.after(place);
    const about = { name: `added cell ${++this.added}`, key: above.key, original: "", text };
    const cell = new Cell(place, about, { ...this.handlers(), remove: (gone) => this.remove(gone) });
    cell.isAdded = true;
    this.cells.splice(this.cells.indexOf(above) + 1, 0, cell);
    return cell;
  }

  add(above) {
    const cell = this.insert(above, "");
    this.keepAdded(cell.key);
    cell.view.focus();
  }

  remove(cell) {
    this.cells.splice(this.cells.indexOf(cell), 1);
    cell.place.remove();
    this.keepAdded(cell.key);
  }

  keepAdded(key) {
    const texts = this.cells.filter((cell) => cell.isAdded && cell.key === key).map((cell) => cell.text);
    this.warn(this.kept.keep("added", key, texts.length ? texts : undefined));
  }

  changed(cell) {
    if (cell.isAdded) return this.keepAdded(cell.key);
    this.warn(this.kept.keep("cells", cell.key, cell.text === cell.original ? undefined : cell.text));
    if (!cell.defined) return undefined;
    const judges = new RegExp(`\\b(check|scores)\\([^]*\\b${cell.defined}\\b`);
    const judging = this.cells.filter((other) => other !== cell && judges.test(other.text));
    for (const other of judging) other.mark(`Unchecked: ${cell.defined} has changed since.`);
    return undefined;
  }

  async run(cell) {
    if (cell.running) return "running";
    cell.begin();
    this.stop.disabled = false;
    this.say(`Running ${cell.name} …`);
    const end = await this.python.run(cell.text, cell.name, (output) => cell.show(output));
    cell.finish(end);
    if (end !== "stopped" && !this.cells.some((other) => other.running)) {
      this.stop.disabled = true;
      this.say(end === "done" ? `Ran ${cell.name}.` : `An error ended ${cell.name}.`);
    }
    return end;
  }

  async runAll(cells) {
    this.again.hidden = true;
    for (const cell of cells) if ((await this.run(cell)) !== "done") return;
  }

  // After a stop or a breakdown: what is shown was computed by a Python that is gone.
  interrupted(sentence) {
    this.before = this.cells.filter((cell) => cell.hasRun);
    for (const cell of this.cells) {
      cell.mark("Before the stop:");
      cell.hasRun = false;
    }
    this.again.hidden = !this.before.length;
    this.stop.disabled = true;
    this.say(sentence);
  }

  erase() {
    if (!confirm("Erase everything that you have written in this exercise?")) return;
    this.kept.erase();
    location.reload();
  }

  // Texts of an earlier version of the page that fit nowhere in this one, to be copied.
  showWhatIsLeft() {
    const keys = new Set(this.cells.map((cell) => cell.key));
    const texts = this.kept.left({ cells: keys, added: keys, written: new Set(this.written) });
    if (!texts.length) return;
    const summary = make("summary", { textContent: "From an earlier version of this exercise" });
    const shown = texts.map((text) => make("pre", { textContent: text }));
    document.querySelector(".bd-article section").append(make("details", { open: true }, summary, ...shown));
  }
}

export function open(place, bytes) {
  const [button, note] = place.children;
  document.head.append(make("link", { rel: "stylesheet", href: new URL("page.css", import.meta.url).href }));
  new Exercise(place.dataset.exercise, bytes);
  button.hidden = true;
  note.textContent = "Shift+Enter runs a cell. Escape, then Tab, leaves an editor. Your answers stay in this browser.";
}
