// Python in a worker of its own, so that the page stays awake and an endless loop can be ended with the worker.
// In: first { exercise, bytes }, then { id, code, name } for each cell.
// Out: { kind: "progress" | "ready" | "failed" | "output" | "result" | "died", … }
const HERE = new URL("./", import.meta.url).href;
const PACKAGES = "/lib/python3.12/site-packages";
const WASM = "pyodide.asm.wasm.gz";
const STDLIB = "python_stdlib.zip";

let done = 0;
let total = 0;

// A file of the folder as a stream that counts its bytes as they arrive, and unpacks them.
async function loaded(name, type = "") {
  const answer = await fetch(HERE + name);
  if (!answer.ok) throw new Error(`${name} could not be loaded (${answer.status}).`);
  const counted = answer.body.pipeThrough(new TransformStream({
    transform(bytes, next) {
      done += bytes.length;
      postMessage({ kind: "progress", done, total });
      next.enqueue(bytes);
    },
  }));
  const plain = name.endsWith(".gz") ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  return new Response(plain, { headers: { "Content-Type": type } });
}

const unpack = async (python, file) => {
  python.unpackArchive(await (await file).arrayBuffer(), "zip", { extractDir: PACKAGES });
};

async function start({ exercise, bytes }) {
  const files = ["libraries.zip", "firth.zip", `${exercise}.zip`];
  total = [WASM, STDLIB, ...files].reduce((sum, name) => sum + bytes[name], 0);
  const coming = { [HERE + "pyodide.asm.wasm"]: loaded(WASM, "application/wasm"), [HERE + STDLIB]: loaded(STDLIB) };
  const archives = files.map((name) => loaded(name));
  const others = self.fetch;
  self.fetch = (address, options) => coming[String(address?.url ?? address)] ?? others(address, options); // Pyodide asks for two
  const { loadPyodide } = await import("./pyodide.mjs");
  const python = await loadPyodide({ indexURL: HERE });
  self.fetch = others;
  for (const archive of archives) await unpack(python, archive);
  return python.pyimport("page_cells");
}

let cells;

onmessage = async ({ data }) => {
  if (!cells) {
    cells = start(data);
    cells.then(() => postMessage({ kind: "ready" }), (error) => postMessage({ kind: "failed", why: error.message }));
    return;
  }
  const { id, code, name } = data;
  const say = (kind, text) => postMessage({ kind: "output", id, output: { kind, text } });
  try {
    postMessage({ kind: "result", id, end: (await cells).run(code, name, say) });
  } catch (error) { // page_cells catches whatever the cell raises: this is the interpreter's own end
    postMessage({ kind: "died", id, why: error.message });
  }
};
