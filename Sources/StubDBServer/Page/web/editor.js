// The documents of scenarios: which there are, their stubs, what is wrong in one, and what it would answer.
import { ask, get, scenarioPath } from "./api.js";
import { propose } from "./complete.js";
import { showConflict } from "./conflict.js";
import { alertOf, button, fill, h, keepingFocus, settled } from "./dom.js";
import { makeForm } from "./form.js";
import { makeMatch } from "./match.js";
import { byFolder, folderOf } from "./scenarios.js";
import { makeSource } from "./source.js";
import { adding, isObject, keysOf, outline, placeOf, setAt, stubsOf } from "./document.js";
import { partsOf } from "./text.js";
import { keep } from "./unsaved.js";

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

/** The largest number of stubs that are listed; the document has all. */
const mostStubs = 500;

export function showEditor(main, app, [name = "", key = null]) {
  app.edited = name;
  const source = makeSource({ changed, propose });
  const wrong = h("div", { id: "wrong", role: "alert" });
  const told = h("span", { role: "status", id: "saved" });
  const undone = h("p", { role: "status", id: "undo" });
  const conflict = h("section", { "aria-label": "Conflict", hidden: true });
  const save = button("Save", () => write(), { id: "save", title: "Ctrl+S" });
  const discard = button("Discard changes", revert, { hidden: true });
  const match = makeMatch(app, settled(250, check));
  const folders = h("nav", { "aria-label": "Scenarios", class: "folders" });
  const stubs = h("nav", { "aria-label": "Stubs", class: "stubs" });
  const form = makeForm({ textOf: () => source.text, edit, select: (it) => select(it), undo: offerUndo });
  // What was read, and its entity tag; a new document has none.
  let [base, tag, round, scenarios] = ["", null, 0, []];
  /** Whether another view is shown: what is read after that changes nothing. */
  let isGone = false;
  /** Whether the catalog has no scenario of the name. */
  let isNew = !name;
  /** Whether what is offered to be undone is a change of the text, which another change makes impossible. */
  let isUndoOfText = false;
  /** The write in progress; null for none. */
  let writing = null;
  let catalog = app.feed.catalog;

  const isChanged = () => source.text !== base;

  function say(text = isChanged() ? "not saved" : "") {
    told.textContent = text;
    discard.hidden = !isChanged();
    if (isChanged()) app.unsaved.set(name, { text: source.text, base, tag });
    else app.unsaved.delete(name);
    keep(app.unsaved);
    if ([...app.unsaved.keys()].join("\n") !== listed) showFolders();
  }

  /** The text was changed where it stands. */
  function changed() {
    if (isUndoOfText) fill(undone);
    say();
    showStubs();
    form.show(key);
    check.soon();
  }

  /** The text is changed by the form. */
  function edit(text) {
    if (isUndoOfText) fill(undone);
    source.set(text, true);
    say();
    showStubs();
    check.soon();
  }

  // MARK: What there is

  /** The scenarios that are listed as not saved. */
  let listed = "";

  function showFolders() {
    const unsaved = [...app.unsaved.keys()];
    listed = unsaved.join("\n");
    const item = (it) => h("li", {}, h("a", {
      href: `#edit/${encodeURIComponent(it)}`, "aria-current": it === name ? "page" : null,
    }, it.slice(it.lastIndexOf("/") + 1) || "New scenario"), unsaved.includes(it)
      ? h("span", { class: "note" }, " not saved") : null);
    const known = new Set(scenarios.map(({ scenario }) => scenario));
    // Copies that are not saved, and what was removed while it was edited.
    const others = unsaved.filter((it) => it && !known.has(it)).map((scenario) => ({ scenario }));
    const groups = Map.groupBy(byFolder([...scenarios, ...others]).map(({ scenario }) => scenario), folderOf);
    const opened = new Set([...folders.querySelectorAll("details[open]")].map((it) => it.dataset.folder));
    keepingFocus(folders, () => fill(folders, h("ul", {}, item("")), [...groups].map(([folder, names]) => (folder === ""
      ? h("ul", {}, names.map(item))
      : h("details", {
        "data-folder": folder, open: opened.has(folder) || folder === folderOf(name) || names.some((it) => unsaved.includes(it)),
      }, h("summary", {}, `${folder}/`), h("ul", {}, names.map(item)))))));
  }

  function showStubs() {
    const list = stubsOf(source.text);
    if (!list) return;
    keepingFocus(stubs, () => fill(stubs, h("h3", {}, `${list.length} ${list.length === 1 ? "stub" : "stubs"}`),
      h("ul", {}, list.slice(0, mostStubs).map((it) => h("li", {}, button([h("b", {}, it.key), h("span", { class: "code quiet" },
        lineOf(it))], () => select(it.key), { "aria-current": it.key === key ? "true" : null })))),
      list.length > mostStubs ? h("p", { class: "quiet" }, `and ${list.length - mostStubs} more in the document`) : null,
      button("Add stub", addStub)));
  }

  function lineOf({ request, resource }) {
    if (isObject(resource)) return `items of ${partsOf(String(resource.at ?? "")).path}`;
    const { method, url, path } = isObject(request) ? request : {};
    const place = typeof (url ?? path) === "string" ? partsOf(url ?? path).path : "a pattern";
    return `${[method ?? "any"].flat().join(", ")} ${url ?? path ? place : "any URL"}`;
  }

  function addStub() {
    const keys = keysOf(source.text);
    let number = keys.length + 1;
    while (keys.includes(`stub-${number}`)) number += 1;
    const added = { key: `stub-${number}`, request: { method: "GET", url: "https://api.example.test/" }, responses: [{ json: {} }] };
    app.draft = null;
    edit(adding(JSON.stringify(added, null, 2), source.text));
    select(added.key);
  }

  // MARK: What is wrong

  let complaint = "";
  let place = [0, 0];

  /** Says what is wrong, once, however often it is found. */
  function complain(message, range) {
    place = range;
    if (message !== complaint || !wrong.firstChild) {
      fill(wrong, h("p", { class: "problem" }, message, " ", button("Show the place", () => source.reveal(...place, true))));
    }
    complaint = message;
    const [start] = range;
    source.area.setAttribute("aria-invalid", "true");
    source.complain(message, start);
  }

  function complainAbout(problem) {
    // A server that is lost, or that changes nothing, says nothing about the document.
    if (problem.pointer === null && ![400, 422].includes(problem.status)) return fill(wrong, alertOf(problem));
    const pointer = problem.pointer ?? "";
    complain(`${pointer || "The document"}: ${problem.message}`, placeOf(source.text, pointer));
  }

  function approve() {
    // What the form cannot save is still to be mended.
    if (!form.problem) fill(wrong);
    source.area.removeAttribute("aria-invalid");
    source.complain(null);
  }

  /** Lets the server read the document, and match the request beside it. */
  async function check() {
    if (isGone) return;
    const { text } = source;
    const { error } = outline(text);
    round += 1;
    const own = round;
    if (error !== null) {
      const line = text.slice(0, error).split("\n").length;
      return complain(`Line ${line} is not JSON.`, [error, error + 1]);
    }
    const { request, isGiven } = match.question();
    try {
      // As it is written: JavaScript would round long numbers.
      const answer = await ask("POST", "match", `{"document":${text},"request":${JSON.stringify(request)}}`);
      if (own !== round) return;
      approve();
      match.show(isGiven ? answer.text : null);
    } catch (problem) {
      if (own !== round) return;
      if (problem.pointer?.startsWith("/request")) {
        approve();
        match.fail(problem);
      } else {
        match.show(null);
        const { message, status, pointer } = problem;
        complainAbout({ message, status, pointer: pointer?.replace(/^\/document/, "") ?? null });
      }
    }
  }
  check.soon = settled(250, check);

  // MARK: Saving

  function take(document, itsTag) {
    [base, tag] = [document, itsTag];
    source.set(document, true);
  }

  /** Writes the document; what is asked for meanwhile is written after that, with the tag that it then has. */
  async function write(...how) {
    if (form.problem) {
      fill(wrong, alertOf(new Error(`The form has what cannot be saved: ${form.problem.text}.`)));
      form.problem.target.focus();
      return;
    }
    while (writing) await writing;
    if (how.length === 0 && !isChanged() && tag !== null) return say("saved");
    writing = writeNow(...how).finally(() => { writing = null; });
    await writing;
  }

  async function writeNow(condition = tag, allowed = {}) {
    const { text } = source;
    if (outline(text).error !== null) return check();
    try {
      const path = scenarioPath(condition !== null && name ? name : JSON.parse(text)?.scenario ?? name);
      const written = await ask("PUT", path, text,
        { ...allowed, ...(condition === null ? { "If-None-Match": "*" } : { "If-Match": condition }) });
      const before = name;
      name = JSON.parse(written.text).scenario;
      if (before !== name) app.unsaved.delete(before);
      if (source.text === text) take(written.text, written.tag);
      else [base, tag] = [written.text, written.tag];
      if (isGone) return say();
      conflict.hidden = true;
      fill(undone);
      approve();
      if (before !== name || condition === null) {
        app.edited = name;
        history.replaceState(null, "", `#edit/${encodeURIComponent(name)}`);
        scenarios = byFolder(await get("scenarios"));
        showFolders();
      }
      title.textContent = name;
      own.hidden = false;
      say(isChanged() ? undefined : "saved");
      showStubs();
      form.show(key);
    } catch (problem) {
      if (isGone) return;
      if (problem.status === 412) await settle();
      else complainAbout(problem);
      if (problem.type === "urn:stubdb:problem:secrets") {
        wrong.append(button("Save it with its secrets",
          () => write(condition, { "StubDB-Allow-Secrets": "true" })));
      }
    }
  }

  /** Reads the document again: it becomes the text if nobody has changed that here, and is mentioned otherwise. */
  async function reread() {
    if (!name || isGone || writing || !conflict.hidden) return;
    const current = await ask("GET", scenarioPath(name)).catch(() => null);
    if (isGone || writing || !current || current.tag === tag || tag === null) return;
    if (isChanged()) return say("not saved, and changed in the catalog since; Save shows both changes");
    if (form.problem) return;
    take(current.text, current.tag);
    say("changed in the catalog, and read again");
    showStubs();
    form.show(key);
    check.soon();
  }

  /** Shows both changes since the document was read, and lets the person decide. */
  async function settle() {
    let theirs = null;
    try {
      theirs = await ask("GET", scenarioPath(name || JSON.parse(source.text).scenario));
    } catch (problem) {
      if (problem.status !== 404) return fill(wrong, alertOf(problem));
    }
    say();
    showConflict(conflict, { base, mine: source.text, theirs: theirs?.text ?? null }, {
      save: () => write(theirs?.tag ?? null),
      take: () => { take(theirs.text, theirs.tag); changed(); },
      edit: () => { [tag, base] = [theirs.tag, theirs.text]; say(); },
      end: () => source.area.focus(),
    });
  }

  // MARK: Copies and removal

  /** Offers to bring a text back, until the next change: that would be lost with it. */
  function offerUndo(text, before, its) {
    isUndoOfText = true;
    fill(undone, text, " ", button("Undo", () => {
      edit(before);
      select(its);
    }));
  }

  function revert() {
    const before = source.text;
    edit(base);
    select(keysOf(base).includes(key) ? key : keysOf(base)[0] ?? null);
    offerUndo("The changes were discarded.", before, key);
    reread();
  }

  function duplicate() {
    if (outline(source.text).error !== null) return check();
    const taken = new Set([...app.unsaved.keys(), ...scenarios.map(({ scenario }) => scenario)]);
    const start = `${name || "folder/name"}-copy`;
    let copy = start;
    for (let number = 2; taken.has(copy); number += 1) copy = `${start}-${number}`;
    app.unsaved.set(copy, { text: setAt(source.text, "/scenario", JSON.stringify(copy)), base: "", tag: null });
    keep(app.unsaved);
    location.hash = `#edit/${encodeURIComponent(copy)}`;
  }

  async function remove() {
    const [removed, before] = [name, base];
    try {
      await ask("DELETE", scenarioPath(removed), undefined, { "If-Match": tag });
      if (isGone) return app.unsaved.delete(removed);
      // What was not saved stays, as that of a new scenario.
      if (isChanged()) base = "";
      [tag, isUndoOfText] = [null, false];
      say(isChanged() ? "not saved" : "deleted");
      own.hidden = true;
      fill(undone, `The scenario ${removed} was deleted. `, button("Undo", () => putBack(removed, before)));
      undone.querySelector("button").focus();
      scenarios = byFolder(await get("scenarios"));
      showFolders();
    } catch (problem) {
      if (problem.status === 412) await settle();
      else fill(wrong, alertOf(problem));
    }
  }

  /** Writes what was deleted, unless somebody has made one of the name since. */
  async function putBack(removed, document) {
    try {
      await ask("PUT", scenarioPath(removed), document, { "If-None-Match": "*", "StubDB-Allow-Secrets": "true" });
      const kept = app.unsaved.get(removed);
      if (kept) app.unsaved.set(removed, { ...kept, base: document, tag: null });
      if (!isGone) dispatchEvent(new Event("hashchange"));
    } catch (problem) {
      fill(wrong, alertOf(problem.status === 412
        ? new Error(`The scenario ${removed} exists again, and is not what was deleted.`) : problem));
    }
  }

  // MARK: The view

  const title = h("h2", {}, name || "New scenario");
  // What can be done with a scenario that the catalog has.
  const own = h("span", { class: "tools", hidden: !name }, button("Duplicate", duplicate), button("Delete", remove));
  main.append(
    h("div", { class: "bar" }, title, h("div", { class: "tools" }, save, discard, own, told)), undone, conflict,
    h("div", { class: "workplace" },
      h("div", { class: "side" }, folders, stubs),
      h("div", { class: "form" }, form.element, match.element),
      h("section", { "aria-label": "Document", class: "document" },
        h("label", { for: "document" }, "Document"),
        h("span", { class: "quiet" }, " Ctrl+Space completes"), source.element, wrong)));

  function select(chosen) {
    key = chosen;
    const [start, end] = placeOf(source.text, `/stubs/${keysOf(source.text).indexOf(key)}`, true) ?? [0, 0];
    if (end > 0) source.reveal(start, end, false);
    form.show(key);
    showStubs();
    history.replaceState(null, "", `#edit/${[name, key].filter((it) => it !== null).map(encodeURIComponent).join("/")}`);
  }

  async function read() {
    if (!name) return take(template, null);
    try {
      const { text, tag: itsTag } = await ask("GET", scenarioPath(name));
      if (!isGone) take(text, itsTag);
    } catch (problem) {
      // A copy that is not saved, or what was removed while it was edited here.
      if (problem.status !== 404 || !app.unsaved.has(name)) throw problem;
      isNew = true;
      own.hidden = true;
    }
  }

  async function open() {
    let said;
    try {
      scenarios = byFolder(await get("scenarios"));
      if (isGone) return;
      showFolders();
      await read();
    } catch (problem) {
      app.draft = null;
      return fill(wrong, alertOf(problem));
    }
    if (isGone) return;
    const kept = app.unsaved.get(name);
    if (kept) {
      [base, tag] = isNew && name ? ["", null] : [kept.base, kept.tag ?? tag];
      source.set(kept.text);
    }
    const { draft } = app;
    if (draft?.scenario === name) {
      app.draft = null;
      match.put(draft.entry);
      if (outline(source.text).error !== null) said = "not saved; nothing was added, because the document is not JSON at present";
      else {
        const { text, key: its, said: word } = draft.change(source.text);
        source.set(text, true);
        [key, said] = [its, `${word}; not saved`];
      }
    }
    say(said);
    const keys = keysOf(source.text);
    if (keys.length > 0) select(keys.includes(key) ? key : keys[0]);
    else {
      showStubs();
      form.show(key);
    }
    check();
  }

  open();
  const stop = app.feed.watch(() => {
    if (catalog === app.feed.catalog) return;
    catalog = app.feed.catalog;
    reread();
  });
  const shortcut = (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    // A field of the form that has the focus takes effect first.
    if (form.element.contains(document.activeElement)) document.activeElement.dispatchEvent(new Event("change"));
    write();
  };
  addEventListener("keydown", shortcut);
  return () => {
    isGone = true;
    stop();
    removeEventListener("keydown", shortcut);
    match.stop();
  };
}
