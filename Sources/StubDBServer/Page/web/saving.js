// Saving the document of an editor: what was read, what is not saved, and what somebody else has changed since.
import { ask, get, scenarioPath } from "./api.js";
import { showConflict } from "./conflict.js";
import { outline } from "./document.js";
import { button, h } from "./dom.js";
import { byFolder } from "./scenarios.js";
import { keep } from "./unsaved.js";

/** Makes what saves the document, and the elements that say whether it is saved. */
export function makeSaving(editor) {
  const { app, source } = editor;
  const told = h("span", { role: "status", id: "saved" });
  const discard = button("Discard changes", () => editor.undo.revert(), { hidden: true });
  const conflict = h("section", { "aria-label": "Conflict", hidden: true });
  /** What changes the catalog at present; null for nothing. */
  let writing = null;

  const isChanged = () => source.text !== editor.base;

  /** Says whether there is something to save, or another word, and keeps it for later. */
  function say(text = isChanged() ? "not saved" : "") {
    told.textContent = text;
    discard.hidden = !isChanged();
    if (isChanged()) app.unsaved.set(editor.name, { text: source.text, base: editor.base, tag: editor.tag });
    else app.unsaved.delete(editor.name);
    keep(app.unsaved);
    editor.tree.showUnsaved();
  }

  /** Shows what was read or written, with its entity tag; a new document has none. */
  function take(document, tag) {
    [editor.base, editor.tag] = [document, tag];
    source.set(document, true);
  }

  /** Does one thing with the catalog after another. */
  async function inTurn(body) {
    while (writing) await writing.catch(() => {});
    writing = body().finally(() => { writing = null; });
    await writing;
  }

  /** Writes the document; what is asked for meanwhile is written after that, with the tag that it then has. */
  async function write(...how) {
    const { problem } = editor.form;
    if (problem) {
      editor.check.tell(new Error(`The form has what cannot be saved: ${problem.text}.`));
      problem.target.focus();
      return;
    }
    await inTurn(async () => {
      if (how.length === 0 && !isChanged() && editor.tag !== null) return say("saved");
      await writeNow(...how);
    });
  }

  async function writeNow(condition = editor.tag, allowed = {}) {
    const { text } = source;
    if (outline(text).error !== null) return editor.check.check();
    try {
      const path = scenarioPath(condition !== null && editor.name ? editor.name : JSON.parse(text)?.scenario ?? editor.name);
      const written = await ask("PUT", path, text,
        { ...allowed, ...(condition === null ? { "If-None-Match": "*" } : { "If-Match": condition }) });
      await show(written, text, condition === null);
    } catch (problem) {
      if (editor.isGone) return;
      if (problem.status === 412) return settle();
      const isSecret = problem.type === "urn:stubdb:problem:secrets";
      editor.check.refuse(problem, ...(isSecret ? [button("Save it with its secrets",
        () => write(condition, { "StubDB-Allow-Secrets": "true" }))] : []));
    }
  }

  /** Shows that a text was written; the catalog may have it in another form, and the person may have gone on. */
  async function show(written, text, isNew) {
    const before = editor.name;
    editor.name = JSON.parse(written.text).scenario;
    if (before !== editor.name) app.unsaved.delete(before);
    if (source.text === text) take(written.text, written.tag);
    else [editor.base, editor.tag] = [written.text, written.tag];
    if (editor.isGone) return say();
    conflict.hidden = true;
    editor.undo.forget();
    editor.check.accept();
    editor.nameIt();
    say(isChanged() ? undefined : "saved");
    editor.tree.showStubs();
    editor.form.show(editor.key);
    if (before !== editor.name || isNew) await list();
  }

  /** Lists the scenarios again. */
  async function list() {
    editor.scenarios = byFolder(await get("scenarios"));
    editor.tree.showFolders();
  }

  /** Reads the document again: it becomes the text if nobody has changed that here, and is mentioned otherwise. */
  async function reread() {
    const isAtRest = () => !editor.isGone && !writing && conflict.hidden;
    if (!editor.name || !isAtRest()) return;
    const current = await ask("GET", scenarioPath(editor.name)).catch(() => null);
    if (!isAtRest() || !current || current.tag === editor.tag || editor.tag === null) return;
    if (isChanged()) return say("not saved, and changed in the catalog since; Save shows both changes");
    if (editor.form.problem) return;
    take(current.text, current.tag);
    say("changed in the catalog, and read again");
    editor.show();
  }

  /** Shows both changes since the document was read, and lets the person decide. */
  async function settle() {
    let theirs = null;
    try {
      theirs = await ask("GET", scenarioPath(editor.name || JSON.parse(source.text).scenario));
    } catch (problem) {
      if (problem.status !== 404) return editor.check.tell(problem);
    }
    if (editor.isGone) return;
    say();
    showConflict(conflict, { base: editor.base, mine: source.text, theirs: theirs?.text ?? null }, {
      save: () => write(theirs?.tag ?? null),
      take: () => { take(theirs.text, theirs.tag); editor.changed(); },
      edit: () => { [editor.tag, editor.base] = [theirs.tag, theirs.text]; say(); },
      end: () => source.area.focus(),
    });
  }

  return { told, discard, conflict, isChanged, say, take, inTurn, write, list, reread, settle };
}
