// A box for a text of which only some can be used: others are refused in a sentence.

import { block, change, element } from "../controls.js";

/** Typographic quotes and dashes, which some keyboards insist on, as the books have them. */
const plain = (text) =>
  text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[–—]/g, "-");

/** Why a text cannot be used; nothing if it can. */
export function strangeness(text, longest, what, alphabet) {
  const letters = [...text];
  if (letters.length > longest) return `${what} may have ${longest} letters: shorten it.`;
  const strange = letters.find((letter) => !alphabet.includes(letter));
  if (!strange) return "";
  return `The books have no letter '${strange}': use those of English, 0-9 and !"'(),-.:;?`;
}

/**
 * The box, and the sentence below it; the trait keeps its last text until there is another that
 * `refusal` lets in, together with what else it changes. `settle` forgets a refusal.
 */
export function typed(model, trait, label, refusal, besides = {}) {
  const refused = element("p", { class: "refused", role: "status" });
  const refuse = (sentence) => {
    refused.textContent = sentence;
    box.setAttribute("aria-invalid", Boolean(sentence));
  };
  const oninput = () => {
    const text = plain(box.value);
    const sentence = refusal(text, model.get("alphabet"));
    refuse(sentence);
    if (!sentence) change(model, { ...besides, [trait]: text });
  };
  const off = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  const box = element("input", { type: "text", "data-trait": trait, oninput, ...off });
  const node = block("control text", element("label", {}, label, box));
  return { node, refused, settle: (text) => plain(box.value) === text && refuse("") };
}
