// Python for a page: one worker at a time, which is ended and replaced when the reader stops it or when it dies.

export class Python {
  // `tell` has functions: progress(done, total), ready(), failed(why), died().
  constructor(setup, tell) {
    Object.assign(this, { setup, tell, worker: null, waiting: new Map(), count: 0 });
  }

  start() {
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this[data.kind](data);
    this.worker.onerror = ({ message }) => this.failed({ why: message });
    this.worker.postMessage(this.setup);
  }

  // Runs a cell; `show` gets each output as { kind, text }. Resolves to "done", "error" or "stopped".
  run(code, name, show) {
    if (!this.worker) this.start();
    const id = ++this.count;
    return new Promise((end) => {
      this.waiting.set(id, { show, end });
      this.worker.postMessage({ id, code, name });
    });
  }

  // Ends the worker, whatever it does, and lets another one start.
  stop() {
    this.end();
    this.start();
  }

  end() {
    this.worker.terminate();
    this.worker = null;
    for (const cell of this.waiting.values()) cell.end("stopped");
    this.waiting.clear();
  }

  progress({ done, total }) { this.tell.progress(done, total); }

  ready() { this.tell.ready(); }

  failed({ why }) {
    this.end();
    this.tell.failed(why);
  }

  output({ id, output }) { this.waiting.get(id).show(output); }

  result({ id, end }) {
    this.waiting.get(id).end(end);
    this.waiting.delete(id);
  }

  died() {
    this.stop();
    this.tell.died();
  }
}
