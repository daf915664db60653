// The host of the course's widgets on a page without a kernel. It finds each <div class="firth-widget" data-model="…">,
// takes the widget's traits and module from the page's script #firth-widgets, and puts the living view where the fallback
// stood. Whatever fails, the fallback stays. The model of a mounted view is `element.firthModel`. A page that loads a
// widget later gives its traits and module to `mountLater`.
(() => {
  const script = document.getElementById("firth-widgets");
  const places = [...document.querySelectorAll(".firth-widget[data-model]")];
  const stored = script ? JSON.parse(script.textContent) : {};
  // A long value that several widgets have stands in the page once; the others say where (`lightened` in page_widgets.py).
  for (const state of Object.values(stored))
    for (const [name, value] of Object.entries(state))
      if (value?.["firth-same"]) { const [id, its] = value["firth-same"]; state[name] = stored[id][its]; }
  const modules = new Map();
  const models = new Map();
  const home = new URL(".", document.currentScript.src);

  // A view that needs a large file asks for it with a message. A kernel would answer; here the file lies beside this script.
  const read = async (file, tell) => {
    try {
      const response = await fetch(new URL(file, home));
      if (!response.ok) throw new Error(`The server answered ${response.status}.`);
      const [reader, decoder] = [response.body.getReader(), new TextDecoder()];
      let [text, size] = ["", 0];
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        text += decoder.decode(part.value, { stream: true });
        tell({ file, says: `${((size += part.value.length) / 1e6).toFixed(1)} MB` });
      }
      tell({ file, content: JSON.parse(text) });
    } catch (error) {
      tell({ file, problem: error.name === "TypeError" ? "Are you connected to the internet?" : error.message });
    }
  };

  class Model {
    #state;
    #listeners = new Map();
    constructor(state) { this.#state = structuredClone(state); }
    get(name) { return this.#state[name]; }
    set(name, value) {
      const values = typeof name === "object" ? name : { [name]: value };
      const changed = Object.keys(values).filter((key) => !Object.is(this.#state[key], values[key]));
      for (const key of changed) this.#state[key] = values[key];
      for (const key of changed) this.#tell(`change:${key}`, this, values[key]);
      if (changed.length) this.#tell("change", this);
    }
    #tell(event, ...values) { for (const f of [...(this.#listeners.get(event) ?? [])]) f(...values); }
    on(events, f) {
      for (const event of events.split(/\s+/)) this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), f]);
    }
    off(events, f) {
      if (!events) return this.#listeners.clear();
      for (const event of events.split(/\s+/))
        this.#listeners.set(event, f ? (this.#listeners.get(event) ?? []).filter((g) => g !== f) : []);
    }
    save_changes() {} // there is no kernel to tell
    send({ file }) { if (file) read(file, (message) => this.#tell("msg:custom", message)); }
    toJSON() { return this.#state; }
  }

  const moduleOf = (source) => {
    if (!modules.has(source)) {
      const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      modules.set(source, import(url).finally(() => URL.revokeObjectURL(url)));
    }
    return modules.get(source);
  };

  const style = ({ _css: text, _anywidget_id: id }) => {
    if (!text || [...document.styleSheets].some((sheet) => sheet.ownerNode.dataset?.widget === text.length + id)) return;
    const element = document.createElement("style");
    element.dataset.widget = text.length + id;
    element.textContent = text;
    document.head.append(element);
  };

  const mount = async (place) => {
    if (place.dataset.state) return;
    place.dataset.state = "loading";
    try {
      const id = place.dataset.model;
      const state = stored[id];
      const loaded = await moduleOf(state._esm);
      const view = typeof loaded.default === "function" ? await loaded.default() : loaded.default;
      style(state);
      if (!models.has(id)) {
        models.set(id, new Model(state));
        await view.initialize?.({ model: models.get(id) });
      }
      const live = document.createElement("div");
      live.className = "firth-live";
      await view.render({ model: models.get(id), el: live, signal: new AbortController().signal });
      if (place.getBoundingClientRect().top < innerHeight) place.style.minHeight = `${place.offsetHeight}px`; // no jump
      place.replaceChildren(live);
      place.firthModel = models.get(id);
      place.dataset.state = "live";
    } catch (error) {
      place.dataset.state = "failed";
      const note = document.createElement("p");
      note.className = "firth-note";
      note.textContent = "This view could not start in your browser; the picture above shows its first state.";
      place.append(note);
      console.warn("widget:", error);
    }
  };

  const near = new IntersectionObserver(
    (entries) => entries.forEach(({ isIntersecting, target }) => isIntersecting && (near.unobserve(target), mount(target))),
    { rootMargin: "600px" },
  );
  places.forEach((place) => near.observe(place));
  const idle = window.requestIdleCallback ?? ((f) => setTimeout(f, 1000));
  addEventListener("load", () => idle(() => places.reduce((done, place) => done.then(() => mount(place)), Promise.resolve())));
  window.mountLater = (place, state) => {
    place.dataset.model = place.dataset.later;
    stored[place.dataset.model] = state;
    return mount(place);
  };
  window.mountAll = () => Promise.all(places.map(mount));
})();
