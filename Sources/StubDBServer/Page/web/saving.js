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
  /** Whether the catalog has changed meanwhile. */
  let isLate = false;

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
    if (isLate) await reread();
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

  /** The scenario that a document is written to: a new one, such as a copy, to the one that it names. */
  const targetOf = (text) => (editor.tag !== null && editor.name ? editor.name : JSON.parse(text)?.scenario ?? editor.name);

  async function writeNow(condition = editor.tag, allowed = {}) {
    const { text } = source;
    if (outline(text).error !== null) return editor.check.check();
    const name = targetOf(text);
    try {
      const written = await ask("PUT", scenarioPath(name), text,
        { ...allowed, ...(condition === null ? { "If-None-Match": "*" } : { "If-Match": condition }) });
      await show(written, text, condition === null);
    } catch (problem) {
      if (editor.isGone) return;
      if (problem.status === 412) return settle(name);
      const isSecret = problem.type === "urn:stubdb:problem:secrets";
      editor.check.refuse(problem, ...(isSecret ? [button("Save it with its secrets",
        () => write(condition, { "StubDB-Allow-Secrets": "true" }))] : []));
    }
  }

  /** The document is that of a scenario: a new one gets a name, and what has one may get another. */
  function become(name) {
    if (name !== editor.name) app.unsaved.delete(editor.name);
    editor.name = name;
  }

  /** Shows that a text was written; the catalog may have it in another form, and the person may have gone on. */
  async function show(written, text, isNew) {
    const before = editor.name;
    become(JSON.parse(written.text).scenario);
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
    const { name, tag } = editor;
    const isAtRest = () => !editor.isGone && conflict.hidden;
    // What is told while the catalog is changed from here is looked at after that.
    isLate = writing !== null;
    if (isLate || !name || tag === null || !isAtRest()) return;
    const current = await ask("GET", scenarioPath(name)).catch(() => null);
    // What was read may be what was there before it was written.
    if (writing || editor.tag !== tag) return reread();
    if (!isAtRest() || !current || current.tag === tag) return;
    if (isChanged()) return say("not saved, and changed in the catalog since; Save shows both changes");
    if (editor.form.problem) return;
    take(current.text, current.tag);
    say("changed in the catalog, and read again");
    editor.show();
  }

  /** Shows both changes since the document was read, and lets the person decide; `name` is that of the other one. */
  async function settle(name) {
    let theirs = null;
    try {
      theirs = await ask("GET", scenarioPath(name));
    } catch (problem) {
      if (problem.status !== 404) return editor.check.tell(problem);
    }
    if (editor.isGone) return;
    // What the catalog has no more is a new one here.
    if (theirs === null) [editor.base, editor.tag] = ["", null];
    editor.nameIt();
    say();
    showConflict(conflict, { base: editor.base, mine: source.text, theirs: theirs?.text ?? null }, {
      save: () => write(theirs?.tag ?? null),
      take: () => { become(name); take(theirs.text, theirs.tag); editor.nameIt(); editor.changed(); },
      edit: () => { become(name); [editor.tag, editor.base] = [theirs.tag, theirs.text]; editor.nameIt(); say(); },
      end: () => source.area.focus(),
    });
  }

  return { told, discard, conflict, isChanged, say, take, inTurn, write, list, reread, settle };
}
