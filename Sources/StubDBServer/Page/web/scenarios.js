// The scenarios of the catalog, by folders.
import { get } from "./api.js";
import { alertOf, button, fill, h, keepingFocus, limited, mostRows, row, settled, table } from "./dom.js";
import { startSession } from "./sessions.js";

/** The folder of a scenario's name; empty for none. */
export const folderOf = (name) => name.slice(0, Math.max(0, name.lastIndexOf("/")));

/** Scenarios in the order of their folders, and of their names in one. */
export function byFolder(scenarios) {
  const order = ({ scenario }) => [folderOf(scenario), scenario].join("\0");
  return scenarios.toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}

export function showScenarios(main, app) {
  const search = h("input", { type: "search", oninput: settled(150, show) });
  const tags = h("div", { class: "tools", role: "group", "aria-label": "Tags" });
  const result = h("div");
  const told = h("div", { role: "status" });
  const chosen = new Set();
  const toggles = new Map();
  let scenarios = [];

  function toggle(tag) {
    if (!chosen.delete(tag)) chosen.add(tag);
    toggles.get(tag)?.setAttribute("aria-pressed", String(chosen.has(tag)));
    show();
  }

  function tagButton(tag) {
    toggles.set(tag, button(tag, () => toggle(tag), { "aria-pressed": "false" }));
    return toggles.get(tag);
  }

  function show() {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = scenarios.filter((it) => {
      const text = [it.scenario, it.summary ?? "", ...it.tags].join(" ").toLowerCase();
      return words.every((word) => text.includes(word))
        && [...chosen].every((tag) => it.tags.includes(tag));
    });
    let folder = "";
    const rows = found.slice(0, mostRows).flatMap((it) => {
      const head = folderOf(it.scenario) === folder ? [] : [folderRow(folder = folderOf(it.scenario))];
      return [...head, rowOf(it)];
    });
    keepingFocus(result, () => fill(result, found.length > 0 ? table(limited("Scenarios of the catalog", found),
      ["Scenario", "Summary", "Tags", "Includes", ["Stubs", "number"], "Session"], rows, { class: "cards" })
      : h("p", {}, scenarios.length > 0 ? "No scenario has these words and tags. " : "The catalog has no scenario yet. ",
        h("a", { href: "#edit" }, "Write one"), ".")));
  }

  const folderRow = (folder) => h("tr", { role: "row", class: "folder" },
    h("td", { role: "cell", colspan: 6 }, folder ? `${folder}/` : "without a folder"));

  const rowOf = (it) => row([
    h("a", { href: `#edit/${encodeURIComponent(it.scenario)}` }, it.scenario), it.summary ?? "",
    h("span", {}, it.tags.map((tag) => h("span", { class: "tag" }, tag))), it.includes.join(", "),
    [it.includes.length ? `${it.stubs}+${it.includedStubs ?? "?"}` : it.stubs, "number stubs"],
    button("Start", () => start(it.scenario), { "aria-label": `Start a session of ${it.scenario}` }),
  ], { class: folderOf(it.scenario) ? "inside" : null });

  async function start(scenario) {
    try {
      const session = await startSession(app, { scenario });
      fill(told, "Started: ", h("a", { href: session.baseURL }, session.baseURL));
    } catch (error) {
      fill(told, alertOf(error));
    }
  }

  async function read() {
    try {
      scenarios = byFolder(await get("scenarios"));
      const all = [...new Set(scenarios.flatMap((it) => it.tags))].sort().slice(0, 40);
      for (const tag of chosen) if (!all.includes(tag)) chosen.delete(tag);
      keepingFocus(tags, () => fill(tags, all.map(tagButton)));
      for (const tag of chosen) toggles.get(tag).setAttribute("aria-pressed", "true");
      show();
    } catch (error) {
      fill(result, alertOf(error));
    }
  }

  main.append(h("h2", {}, "Scenarios"), h("div", { class: "tools" },
    h("label", {}, "Search ", search), h("a", { href: "#edit" }, "New scenario")), tags, told, result);
  read();
  let known = app.feed.catalog;
  return app.feed.watch(() => {
    if (known === app.feed.catalog) return;
    known = app.feed.catalog;
    read();
  });
}
