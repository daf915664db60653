// The written answers of an exercise: a text box in the place of each sentence "Write your answer here."
import { make } from "./cell.js";

// Makes the text boxes and returns the names of their questions; `saved` hears whether the browser keeps what is typed.
export function writtenAnswers(kept, saved) {
  const names = [];
  for (const title of document.querySelectorAll(".bd-article p > strong:first-child")) {
    const name = title.parentElement.querySelector("code")?.textContent;
    if (title.textContent !== "Your answer" || !name) continue;
    names.push(name);
    const box = make("textarea", { className: "do-it-written", rows: 10, value: kept.get("written", name) ?? "" });
    box.setAttribute("aria-label", `Your answer (${name})`);
    box.addEventListener("input", () => saved(kept.keep("written", name, box.value || undefined)));
    title.parentElement.nextElementSibling.replaceWith(box);
  }
  return names;
}
