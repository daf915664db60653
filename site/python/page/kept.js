// What a reader has written in an exercise, kept in this browser: code by the name of its function, text by its question.
// Cells without a function are known by the code that the page has for them.

const EMPTY = { cells: {}, added: {}, written: {} };
const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

export class Kept {
  constructor(exercise) {
    this.key = `firth-exercise-${exercise}`;
    this.problem = "";
    this.answers = structuredClone(EMPTY);
    try {
      const stored = localStorage.getItem(this.key);
      if (stored) this.read(stored);
    } catch {
      this.problem = "This browser lets pages keep nothing, so your answers are gone when you leave this page.";
    }
  }

  read(stored) {
    try {
      const found = JSON.parse(stored);
      for (const kind in EMPTY) if (!isTable(found[kind])) throw new TypeError(kind);
      this.answers = found;
    } catch {
      this.problem = "What this browser had kept of your answers cannot be read, so all cells are blank again.";
    }
  }

  // Keeps a text under a name, or forgets the name if the text is undefined.
  keep(kind, name, text) {
    if (text === undefined) delete this.answers[kind][name];
    else this.answers[kind][name] = text;
    try {
      localStorage.setItem(this.key, JSON.stringify(this.answers));
      return true;
    } catch {
      return false;
    }
  }

  get(kind, name) { return this.answers[kind][name]; }

  erase() {
    this.answers = structuredClone(EMPTY);
    try {
      localStorage.removeItem(this.key);
    } catch { /* it kept nothing */ }
  }

  // The texts that belong to nothing on this page: those of an earlier version of it.
  left(names) {
    const rest = (kind) => Object.entries(this.answers[kind]).filter(([name]) => !names[kind].has(name));
    return [...rest("cells"), ...rest("written"), ...rest("added")].flatMap(([, text]) => text);
  }
}
