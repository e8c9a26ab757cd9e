// The documents of scenarios: a stub as a form beside the text, and lists of what there is.
import { ask, scenarioPath } from "./api.js";
import { makeCheck } from "./check.js";
import { propose } from "./complete.js";
import { adding, keysOf, outline, placeOf } from "./document.js";
import { button, h, settled } from "./dom.js";
import { makeForm } from "./form.js";
import { makeMatch } from "./match.js";
import { makeSaving } from "./saving.js";
import { makeSource } from "./source.js";
import { makeTree } from "./tree.js";
import { makeUndo } from "./undo.js";

const template = `{
  "scenario": "folder/name",
  "stubs": [
    {
      "key": "me",
      "request": {
        "method": "GET",
        "url": "https://api.example.test/v1/me"
      },
      "responses": [
        {
          "json": {}
        }
      ]
    }
  ]
}
`;

export function showEditor(main, app, [name = "", key = null]) {
  app.edited = name;
  /** What the parts of the editor share. */
  const editor = {
    app, name, key, changed, show, edit, select, nameIt,
    /** What was read, and its entity tag; a new document has none. */
    base: "", tag: null,
    /** The scenarios of the catalog, by folder. */
    scenarios: [],
    /** Whether another view is shown: what is read after that changes nothing. */
    isGone: false,
  };
  const source = editor.source = makeSource({ changed, propose });
  const match = makeMatch(app, settled(250, () => editor.check.check()));
  const form = editor.form = makeForm({
    textOf: () => source.text, edit, select, undo: (...what) => editor.undo.offer(...what),
  });
  const tree = editor.tree = makeTree(editor, addStub);
  const check = editor.check = makeCheck(editor, match);
  const saving = editor.saving = makeSaving(editor);
  const undo = editor.undo = makeUndo(editor);
  let catalog = app.feed.catalog;

  /** The text was changed where it stands. */
  function changed() {
    undo.forgetText();
    saving.say();
    show();
  }

  /** Shows what there is in the text. */
  function show() {
    tree.showStubs();
    form.show(editor.key);
    check.checkSoon();
  }

  /** The text is changed by the form. */
  function edit(text) {
    undo.forgetText();
    source.set(text, true);
    saving.say();
    tree.showStubs();
    check.checkSoon();
  }

  function addStub() {
    const keys = keysOf(source.text);
    let number = keys.length + 1;
    while (keys.includes(`stub-${number}`)) number += 1;
    const added = { key: `stub-${number}`, request: { method: "GET", url: "https://api.example.test/" }, responses: [{ json: {} }] };
    edit(adding(JSON.stringify(added, null, 2), source.text));
    select(added.key);
  }

  function select(chosen) {
    editor.key = chosen;
    const [start, end] = placeOf(source.text, `/stubs/${keysOf(source.text).indexOf(chosen)}`, true) ?? [0, 0];
    if (end > 0) source.reveal(start, end, false);
    form.show(chosen);
    tree.showStubs();
    showAddress();
  }

  /** The address names the scenario and the stub, for those who load the page again. */
  function showAddress() {
    const parts = [editor.name, editor.key].filter((it) => it !== null);
    history.replaceState(null, "", `#edit/${parts.map(encodeURIComponent).join("/")}`);
  }

  const title = h("h2", {}, name || "New scenario");
  // What can be done with a scenario that the catalog has.
  const own = h("span", { class: "tools", hidden: !name }, button("Duplicate", undo.duplicate), button("Delete", undo.remove));

  /** Shows the name of the scenario, and whether the catalog has it. */
  function nameIt() {
    app.edited = editor.name;
    title.textContent = editor.name || "New scenario";
    own.hidden = editor.tag === null;
    showAddress();
  }

  main.append(
    h("div", { class: "bar" }, title, h("div", { class: "tools" },
      button("Save", () => saving.write(), { id: "save", title: "Ctrl+S" }), saving.discard, own, saving.told)),
    undo.element, saving.conflict,
    h("div", { class: "workplace" },
      tree.element,
      h("div", { class: "form" }, form.element, match.element),
      h("section", { "aria-label": "Document", class: "document" },
        h("label", { for: "document" }, "Document"),
        h("span", { class: "quiet" }, " Ctrl+Space completes"), source.element, check.element)));

  async function read() {
    if (!name) return saving.take(template, null);
    try {
      const { text, tag } = await ask("GET", scenarioPath(name));
      if (!editor.isGone) saving.take(text, tag);
    } catch (problem) {
      // A copy that is not saved, or what was removed while it was edited here.
      if (problem.status !== 404 || !app.unsaved.has(name)) throw problem;
    }
  }

  /** Takes what was not saved; what the catalog had no scenario for is a new one still. */
  function takeKept() {
    const kept = app.unsaved.get(name);
    if (!kept) return;
    const isNew = name && editor.tag === null;
    [editor.base, editor.tag] = isNew ? ["", null] : [kept.base, kept.tag];
    source.set(kept.text);
  }

  /** Changes the document as a request of the journal was to change it; the result says what was done. */
  function takeDraft() {
    const { draft } = app;
    if (draft?.scenario !== name) return undefined;
    app.draft = null;
    match.put(draft.entry);
    if (outline(source.text).error !== null) return "not saved; nothing was added, because the document is not JSON at present";
    const { text, key: its, said } = draft.change(source.text);
    source.set(text, true);
    editor.key = its;
    return `${said}; not saved`;
  }

  async function open() {
    try {
      await saving.list();
      if (editor.isGone) return;
      await read();
    } catch (problem) {
      app.draft = null;
      return check.tell(problem);
    }
    if (editor.isGone) return;
    takeKept();
    own.hidden = editor.tag === null;
    saving.say(takeDraft());
    const keys = keysOf(source.text);
    if (keys.length > 0) select(keys.includes(editor.key) ? editor.key : keys[0]);
    else {
      tree.showStubs();
      form.show(editor.key);
    }
    check.check();
  }

  open();
  const stop = app.feed.watch(() => {
    if (catalog === app.feed.catalog) return;
    catalog = app.feed.catalog;
    saving.reread();
  });
  const shortcut = (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    // A field of the form that has the focus takes effect first.
    if (form.element.contains(document.activeElement)) document.activeElement.dispatchEvent(new Event("change"));
    saving.write();
  };
  addEventListener("keydown", shortcut);
  return () => {
    editor.isGone = true;
    stop();
    removeEventListener("keydown", shortcut);
    match.stop();
  };
}
