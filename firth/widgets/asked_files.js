// Files that a view asks for when it needs them: of the page, or of the kernel behind it. Both answer a message
// {file, …} with messages {file, says}, and in the end {file, content} or {file, problem}.

import { block, button, element } from "./controls.js";

const filesHere = new Map(); // what has come, by its name; the views of a page share it

/**
 * A line that says how far a file has come, and `want(request)`, which asks for the file that a request names, unless
 * it is here or on its way. `take(content)` gets the file that was wanted last.
 */
export function askedFiles(model, take) {
  const line = element("p", { "aria-live": "polite" });
  const far = element("span"); // what changes ten times a second is not read out
  const again = button("Try again", () => ask(wanted), { hidden: "" });
  const node = block("bar loading", line, far, again);
  const open = new Set();
  let wanted = null;

  function tell(says, failed = false) {
    line.textContent = says;
    far.textContent = "";
    again.hidden = !failed;
    node.classList.toggle("failed", failed);
  }

  function ask(request) {
    open.add(request.file);
    tell("Loading the vectors …");
    model.send(request);
  }

  function hear({ file, says, content, problem }) {
    if (content) filesHere.set(file, content);
    if (problem) open.delete(file);
    if (file !== wanted?.file) return;
    if (says) far.textContent = says;
    if (problem) tell(`The vectors could not be loaded. ${problem}`, true);
    if (content) {
      tell("");
      take(content);
    }
  }

  function want(request) {
    if (wanted?.file === request.file && (open.has(request.file) || !again.hidden)) return;
    wanted = request;
    if (filesHere.has(request.file)) hear({ file: request.file, content: filesHere.get(request.file) });
    else if (!open.has(request.file)) ask(request);
  }

  model.on("msg:custom", hear);
  return { node, tell, want, release: () => model.off("msg:custom", hear) };
}
