// A labelled box for a word, with the most frequent words that begin as what is typed.

import { change, element } from "./controls.js";

const [LONGEST, OFFERED] = [40, 8]; // letters of a word, words in the list

/** The label with its box and list; the trait takes a word as soon as it is among the names. */
export function wordBox(model, trait, label, names) {
  const list = element("datalist", { id: `words-${trait}-${Math.random().toString(36).slice(2)}` });
  const take = ({ target }) => change(model, { [trait]: target.value });
  const offer = (event) => {
    const typed = event.target.value.trim().toLowerCase();
    const offered = typed ? names.filter((name) => name.startsWith(typed)).slice(0, OFFERED) : [];
    list.replaceChildren(...offered.map((value) => element("option", { value })));
    if (names.includes(typed)) take(event); // else wait until the word is whole
  };
  const box = element("input", {
    ...{ type: "text", "data-trait": trait, list: list.id, maxlength: LONGEST, size: 10 },
    ...{ autocomplete: "off", autocapitalize: "none", spellcheck: "false" },
    ...{ oninput: offer, onchange: take },
  });
  return element("label", { class: "word" }, element("span", {}, label), box, list);
}
