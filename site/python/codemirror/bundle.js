// What editor.js takes from CodeMirror: `python tools/vendor.py --refresh` bundles it into site/_static/vendor/codemirror/.
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { python } from "@codemirror/lang-python";
export { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { EditorState } from "@codemirror/state";
export { EditorView, keymap } from "@codemirror/view";
export { classHighlighter } from "@lezer/highlight";
