// What the editor lists: the scenarios of the catalog by folders, and the stubs of the one that is open.
import { isObject, stubsOf } from "./document.js";
import { button, fill, h, keepingFocus } from "./dom.js";
import { byFolder, folderOf } from "./scenarios.js";
import { partsOf } from "./text.js";

/** The largest number of stubs that are listed; the document has all. */
const mostStubs = 500;

/** Makes both lists for an editor; `add` adds a stub. */
export function makeTree(editor, add) {
  const folders = h("nav", { "aria-label": "Scenarios", class: "folders" });
  const stubs = h("nav", { "aria-label": "Stubs", class: "stubs" });
  const { unsaved } = editor.app;
  /** The scenarios that are listed as not saved. */
  let listed = "";
  const unsavedNames = () => [...unsaved.keys()].join("\n");

  const item = (it) => h("li", {}, h("a", {
    href: `#edit/${encodeURIComponent(it)}`, "aria-current": it === editor.name ? "page" : null,
  }, it.slice(it.lastIndexOf("/") + 1) || "New scenario"), unsaved.has(it)
    ? h("span", { class: "note" }, " not saved") : null);

  function showFolders() {
    listed = unsavedNames();
    const known = new Set(editor.scenarios.map(({ scenario }) => scenario));
    // Copies that are not saved, and what was removed while it was edited.
    const others = [...unsaved.keys()].filter((it) => it && !known.has(it)).map((scenario) => ({ scenario }));
    const groups = Map.groupBy(byFolder([...editor.scenarios, ...others]).map(({ scenario }) => scenario), folderOf);
    const opened = new Set([...folders.querySelectorAll("details[open]")].map((it) => it.dataset.folder));
    keepingFocus(folders, () => fill(folders, h("ul", {}, item("")), [...groups].map(([folder, names]) => (folder === ""
      ? h("ul", {}, names.map(item))
      : h("details", {
        "data-folder": folder,
        open: opened.has(folder) || folder === folderOf(editor.name) || names.some((it) => unsaved.has(it)),
      }, h("summary", {}, `${folder}/`), h("ul", {}, names.map(item)))))));
  }

  function showStubs() {
    const list = stubsOf(editor.source.text);
    if (!list) return;
    keepingFocus(stubs, () => fill(stubs, h("h3", {}, `${list.length} ${list.length === 1 ? "stub" : "stubs"}`),
      h("ul", {}, list.slice(0, mostStubs).map((it) => h("li", {}, button([h("b", {}, it.key), h("span", { class: "code quiet" },
        lineOf(it))], () => editor.select(it.key), { "aria-current": it.key === editor.key ? "true" : null })))),
      list.length > mostStubs ? h("p", { class: "quiet" }, `and ${list.length - mostStubs} more in the document`) : null,
      button("Add stub", add)));
  }

  return {
    element: h("div", { class: "side" }, folders, stubs), showFolders, showStubs,
    /** Lists the scenarios again if other ones are not saved now. */
    showUnsaved() { if (unsavedNames() !== listed) showFolders(); },
  };
}

function lineOf({ request, resource }) {
  if (isObject(resource)) return `items of ${partsOf(String(resource.at ?? "")).path}`;
  const { method, url, path } = isObject(request) ? request : {};
  const place = typeof (url ?? path) === "string" ? partsOf(url ?? path).path : "a pattern";
  return `${[method ?? "any"].flat().join(", ")} ${url ?? path ? place : "any URL"}`;
}
