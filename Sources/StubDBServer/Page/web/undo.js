// What an editor does that can be undone: discarding and removing; and copies, which are not saved at first.
import { ask, scenarioPath } from "./api.js";
import { keysOf, outline, setAt } from "./document.js";
import { button, fill, h } from "./dom.js";
import { keep } from "./unsaved.js";

/** Makes the line that offers to undo, and what it is offered for. */
export function makeUndo(editor) {
  const { app, source, saving } = editor;
  const element = h("p", { role: "status", id: "undo" });
  /** Whether what is offered to be undone is a change of the text, which another change makes impossible. */
  let isOfText = false;

  const forget = () => fill(element);

  /** Offers to bring a text back, until the next change: that would be lost with it. */
  function offer(text, before, key) {
    isOfText = true;
    fill(element, text, " ", button("Undo", () => {
      editor.edit(before);
      editor.select(key);
      editor.form.focus();
    }));
  }

  function revert() {
    const [before, { key }] = [source.text, editor];
    const keys = keysOf(editor.base);
    editor.edit(editor.base);
    editor.select(keys.includes(key) ? key : keys[0] ?? null);
    offer("The changes were discarded.", before, key);
    element.querySelector("button").focus();
    saving.reread();
  }

  function duplicate() {
    if (outline(source.text).error !== null) return editor.check.check();
    const taken = new Set([...app.unsaved.keys(), ...editor.scenarios.map(({ scenario }) => scenario)]);
    const start = `${editor.name || "folder/name"}-copy`;
    let copy = start;
    for (let number = 2; taken.has(copy); number += 1) copy = `${start}-${number}`;
    app.unsaved.set(copy, { text: setAt(source.text, "/scenario", JSON.stringify(copy)), base: "", tag: null });
    keep(app.unsaved);
    location.hash = `#edit/${encodeURIComponent(copy)}`;
  }

  const remove = () => saving.inTurn(async () => {
    const { name, base } = editor;
    // A second click, which waited for the first one.
    if (editor.tag === null) return;
    try {
      await ask("DELETE", scenarioPath(name), undefined, { "If-Match": editor.tag });
    } catch (problem) {
      if (editor.isGone) return;
      return problem.status === 412 ? saving.settle(name) : editor.check.tell(problem);
    }
    // What was not saved stays, as that of a new scenario.
    if (saving.isChanged()) editor.base = "";
    [editor.tag, isOfText] = [null, false];
    saving.say(saving.isChanged() ? "not saved" : "deleted");
    if (editor.isGone) return;
    editor.nameIt();
    fill(element, `The scenario ${name} was deleted. `, button("Undo", () => putBack(name, base)));
    element.querySelector("button").focus();
    await saving.list().catch(editor.check.tell);
  });

  /** Writes what was deleted, unless somebody has made one of the name since. */
  const putBack = (name, document) => saving.inTurn(async () => {
    // A second click, which waited for the first one.
    if (!element.firstChild) return;
    try {
      const { text, tag } = await ask("PUT", scenarioPath(name), document, { "If-None-Match": "*", "StubDB-Allow-Secrets": "true" });
      forget();
      const kept = app.unsaved.get(name);
      if (kept) app.unsaved.set(name, { ...kept, base: text, tag });
      if (!editor.isGone) dispatchEvent(new Event("hashchange"));
    } catch (problem) {
      editor.check.tell(problem.status === 412
        ? new Error(`The scenario ${name} exists again, and is not what was deleted.`) : problem);
    }
  });

  return {
    element, offer, forget, revert, duplicate, remove,
    /** The text is another one now. */
    forgetText() { if (isOfText) forget(); },
  };
}
