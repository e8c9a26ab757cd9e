// The documents of scenarios: which there are, their stubs, what is wrong in one, and what it would answer.
import { ask, get, scenarioPath } from "./api.js";
import { propose } from "./complete.js";
import { alertOf, button, fill, h, settled } from "./dom.js";
import { makeForm } from "./form.js";
import { makeMatch } from "./match.js";
import { byFolder, folderOf } from "./scenarios.js";
import { makeSource } from "./source.js";
import { adding, changes, keysOf, outline, partsOf, placeOf } from "./text.js";

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

  const isChanged = () => source.text !== base;

  function say(text = isChanged() ? "not saved" : "") {
    told.textContent = text;
    discard.hidden = !isChanged();
    if (isChanged()) app.unsaved.set(name, { text: source.text, base, tag });
    else app.unsaved.delete(name);
    keep(app.unsaved);
    showFolders();
  }

  /** The text was changed where it stands. */
  function changed() {
    say();
    showStubs();
    form.show(key);
    check.soon();
  }

  /** The text is changed by the form. */
  function edit(text) {
    source.set(text, true);
    say();
    showStubs();
    check.soon();
  }

  // MARK: What there is

  function showFolders() {
    const unsaved = [...app.unsaved.keys()];
    const item = (it) => h("li", {}, h("a", {
      href: `#edit/${encodeURIComponent(it)}`, "aria-current": it === name ? "page" : null,
    }, it.slice(it.lastIndexOf("/") + 1) || "New scenario"), unsaved.includes(it)
      ? h("span", { class: "note" }, " not saved") : null);
    const groups = Map.groupBy(scenarios.map(({ scenario }) => scenario), folderOf);
    const opened = new Set([...folders.querySelectorAll("details[open]")].map((it) => it.dataset.folder));
    fill(folders, h("ul", {}, item("")), [...groups].map(([folder, names]) => (folder === ""
      ? h("ul", {}, names.map(item))
      : h("details", {
        "data-folder": folder, open: opened.has(folder) || folder === folderOf(name) || names.some((it) => unsaved.includes(it)),
      }, h("summary", {}, `${folder}/`), h("ul", {}, names.map(item))))));
  }

  function showStubs() {
    let list = [];
    try {
      list = JSON.parse(source.text).stubs ?? [];
    } catch {
      return;
    }
    fill(stubs, h("h3", {}, `${list.length} ${list.length === 1 ? "stub" : "stubs"}`),
      h("ul", {}, list.slice(0, mostStubs).map((it) => h("li", {}, button([h("b", {}, it.key), h("span", { class: "code quiet" },
        lineOf(it.request ?? {}))], () => select(it.key), { "aria-current": it.key === key ? "true" : null })))),
      list.length > mostStubs ? h("p", { class: "quiet" }, `and ${list.length - mostStubs} more in the document`) : null,
      button("Add stub", addStub));
  }

  function lineOf({ method, url, path }) {
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

  function complain(message, [start, end]) {
    const go = button("Show the place", () => source.reveal(start, end, true));
    fill(wrong, h("p", { class: "problem" }, message, " ", go));
    source.area.setAttribute("aria-invalid", "true");
    source.complain(message, start);
  }

  function complainAbout(problem) {
    const pointer = problem.pointer ?? "";
    complain(`${pointer || "The document"}: ${problem.message}`, placeOf(source.text, pointer));
  }

  function approve() {
    fill(wrong);
    source.area.removeAttribute("aria-invalid");
    source.complain(null);
  }

  /** Lets the server read the document, and match the request beside it. */
  async function check() {
    const { text } = source;
    const { error } = outline(text);
    if (error !== null) {
      const line = text.slice(0, error).split("\n").length;
      return complain(`Line ${line} is not JSON.`, [error, error + 1]);
    }
    round += 1;
    const own = round;
    const { request, isGiven } = match.question();
    try {
      // As it is written: JavaScript would round long numbers.
      const answer = await ask("POST", "match", `{"document":${text},"request":${JSON.stringify(request)}}`);
      if (own !== round) return;
      approve();
      match.show(isGiven ? JSON.parse(answer.text) : null);
    } catch (problem) {
      if (own !== round) return;
      if (problem.pointer?.startsWith("/request")) {
        approve();
        match.fail(problem);
      } else {
        match.show(null);
        complainAbout({ message: problem.message, pointer: problem.pointer?.replace(/^\/document/, "") });
      }
    }
  }
  check.soon = settled(250, check);

  // MARK: Saving

  function take(document, itsTag) {
    [base, tag] = [document, itsTag];
    source.set(document);
  }

  async function write(condition = tag, allowed = {}) {
    const { text } = source;
    if (outline(text).error !== null) return check();
    try {
      const path = scenarioPath(name || JSON.parse(text).scenario);
      const written = await ask("PUT", path, text,
        { ...allowed, ...(condition === null ? { "If-None-Match": "*" } : { "If-Match": condition }) });
      const before = name;
      name = JSON.parse(written.text).scenario;
      if (source.text === text) take(written.text, written.tag);
      else [base, tag] = [written.text, written.tag];
      conflict.hidden = true;
      fill(undone);
      approve();
      if (before !== name) {
        app.unsaved.delete(before);
        history.replaceState(null, "", `#edit/${encodeURIComponent(name)}`);
        scenarios = byFolder(await get("scenarios"));
      }
      title.textContent = name;
      say(isChanged() ? undefined : "saved");
      showStubs();
      form.show(key);
    } catch (problem) {
      if (problem.status === 412) await settle();
      else complainAbout(problem);
      if (problem.type === "urn:stubdb:problem:secrets") {
        wrong.append(button("Save it with its secrets",
          () => write(condition, { "StubDB-Allow-Secrets": "true" })));
      }
    }
  }

  /** Shows both changes since the document was read, and lets the person decide. */
  async function settle() {
    const path = scenarioPath(name || JSON.parse(source.text).scenario);
    const theirs = await ask("GET", path).catch(() => null);
    say();
    const choose = (label, action) => button(label, () => {
      conflict.hidden = true;
      action();
      source.area.focus();
    });
    if (theirs === null) {
      fill(conflict, h("h3", { tabindex: -1 }, "The scenario was removed meanwhile"),
        choose("Save it as new", () => write(null)));
    } else {
      fill(conflict, h("h3", { tabindex: -1 }, "The scenario was changed meanwhile"),
        h("div", { class: "columns" },
          side("Your changes", base, source.text), side("In the catalog", base, theirs.text)),
        h("div", { class: "tools" },
          choose("Save mine over it", () => write(theirs.tag)),
          choose("Take that of the catalog", () => { take(theirs.text, theirs.tag); changed(); }),
          choose("Go on editing mine", () => { [tag, base] = [theirs.tag, theirs.text]; say(); })));
    }
    conflict.hidden = false;
    conflict.querySelector("h3").focus();
  }

  // MARK: Copies and removal

  function offerUndo(text, before, its) {
    fill(undone, text, " ", button("Undo", () => {
      fill(undone);
      edit(before);
      select(its);
    }));
  }

  function revert() {
    const before = source.text;
    edit(base);
    select(keysOf(base).includes(key) ? key : keysOf(base)[0] ?? null);
    offerUndo("The changes were discarded.", before, key);
  }

  function duplicate() {
    app.unsaved.set("", {
      text: source.text.replace(/("scenario"\s*:\s*)"[^"]*"/, (_, start) => start + JSON.stringify(`${name || "folder/name"}-copy`)),
      base: template, tag: null,
    });
    location.hash = "#edit";
  }

  async function remove() {
    const { text } = source;
    try {
      await ask("DELETE", scenarioPath(name), undefined, { "If-Match": tag });
      app.unsaved.delete(name);
      keep(app.unsaved);
      take(text, null);
      const removed = name;
      fill(undone, `The scenario ${removed} was deleted. `, button("Undo", async () => {
        await ask("PUT", scenarioPath(removed), base, { "If-None-Match": "*", "StubDB-Allow-Secrets": "true" });
        dispatchEvent(new Event("hashchange"));
      }));
      scenarios = byFolder(await get("scenarios"));
      showFolders();
    } catch (problem) {
      if (problem.status === 412) await settle();
      else fill(wrong, alertOf(problem));
    }
  }

  // MARK: The view

  const title = h("h2", {}, name || "New scenario");
  main.append(
    h("div", { class: "bar" }, title, h("div", { class: "tools" }, save, discard,
      name ? [button("Duplicate", duplicate), button("Delete", remove)] : null, told)), undone, conflict,
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
    const { text, tag: itsTag } = await ask("GET", scenarioPath(name));
    take(text, itsTag);
  }

  async function open() {
    let said;
    try {
      scenarios = byFolder(await get("scenarios"));
      showFolders();
      await read();
    } catch (problem) {
      return fill(wrong, alertOf(problem));
    }
    const kept = app.unsaved.get(name);
    if (kept) {
      [base, tag] = [kept.base, kept.tag];
      source.set(kept.text);
    }
    const { draft } = app;
    if (draft?.scenario === name) {
      app.draft = null;
      const { text, key: its, said: word } = draft.change(source.text);
      source.set(text, true);
      [key, said] = [its, `${word}; not saved`];
      match.put(draft.entry);
    }
    say(said);
    const keys = keysOf(source.text);
    if (keys.length > 0) select(keys.includes(key) ? key : keys[0]);
    else showStubs();
    check();
  }

  restore(app.unsaved);
  open();
  const guard = (event) => { if (app.unsaved.size > 0) event.preventDefault(); };
  const shortcut = (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    // A field of the form that has the focus takes effect first.
    document.activeElement?.dispatchEvent(new Event("change", { bubbles: true }));
    write();
  };
  addEventListener("beforeunload", guard);
  addEventListener("keydown", shortcut);
  return () => {
    removeEventListener("beforeunload", guard);
    removeEventListener("keydown", shortcut);
    match.stop();
  };
}

/** Keeps what is not saved for a page that is loaded again. */
function keep(unsaved) {
  try {
    sessionStorage.setItem("unsaved", JSON.stringify([...unsaved]));
  } catch { /* It may be too much; the page still has it. */ }
}

function restore(unsaved) {
  if (unsaved.size > 0) return;
  try {
    for (const [name, it] of JSON.parse(sessionStorage.getItem("unsaved") ?? "[]")) unsaved.set(name, it);
  } catch { /* Some browsers have no storage. */ }
}

/** One side of a conflict: the lines, with those that changed. */
function side(title, before, after) {
  const lines = changes(before, after).map(([kind, line]) =>
    h({ same: "span", old: "del", new: "ins" }[kind], {}, line));
  return h("div", {}, h("h3", {}, title),
    h("pre", { class: "lines", tabindex: 0, "aria-label": title }, lines));
}
