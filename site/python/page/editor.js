// An editor for one code cell: CodeMirror with Python's colours and indentation, undo, and the keys of a notebook.
import * as cm from "./codemirror.js";

const LOOK = cm.EditorView.theme({
  "&.cm-focused": { outline: "2px solid var(--firth-company)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit" },
  ".cm-content": { padding: "0.75rem 0", caretColor: "currentColor" },
  ".cm-line": { padding: "0 0.75rem" },
  ".cm-cursor": { borderLeftColor: "currentColor" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--firth-mark)" },
});

// Shift+Enter calls `run`, and each change calls `changed`.
export function editor({ parent, text, label, run, changed }) {
  const go = () => { run(); return true; };
  return new cm.EditorView({
    parent,
    state: cm.EditorState.create({
      doc: text,
      extensions: [
        cm.keymap.of([{ key: "Shift-Enter", run: go }, { key: "Mod-Enter", run: go }]),
        cm.keymap.of([...cm.defaultKeymap, ...cm.historyKeymap, cm.indentWithTab]),
        cm.history(), cm.indentOnInput(), cm.indentUnit.of("    "), cm.bracketMatching(), cm.python(),
        cm.syntaxHighlighting(cm.classHighlighter), LOOK,
        cm.EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", autocapitalize: "off", autocorrect: "off", spellcheck: "false" }),
        cm.EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    }),
  });
}

export const textOf = (view) => view.state.doc.toString();
