// Lists: scenarios, sessions, and the stubs of a session by use.
import { ask, get } from "./api.js";
import { alertOf, button, fill, h, row, settled, table } from "./dom.js";

/** The largest number of rows; a search finds the others. */
const most = 500;

function limited(caption, all) {
  return all.length > most ? `${caption}: the first ${most} of ${all.length}` : caption;
}

export function showScenarios(main, app) {
  const search = h("input", { type: "search", oninput: settled(150, show) });
  const tags = h("div", { class: "tools", role: "group", "aria-label": "Tags" });
  const result = h("div");
  const told = h("div", { role: "status" });
  const chosen = new Set();
  let scenarios = [];

  function tagButton(tag) {
    const toggle = button(tag, () => {
      if (!chosen.delete(tag)) chosen.add(tag);
      toggle.setAttribute("aria-pressed", String(chosen.has(tag)));
      show();
    }, { "aria-pressed": "false" });
    return toggle;
  }

  function show() {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = scenarios.filter((it) => {
      const text = [it.scenario, it.summary ?? "", ...it.tags].join(" ").toLowerCase();
      return words.every((word) => text.includes(word))
        && [...chosen].every((tag) => it.tags.includes(tag));
    });
    fill(result, table(limited("Scenarios of the catalog", found),
      ["Scenario", "Summary", "Tags", "Includes", ["Stubs", "number"], "Session"],
      found.slice(0, most).map((it) => row([
        h("a", { href: `#edit/${encodeURIComponent(it.scenario)}` }, it.scenario),
        it.summary ?? "", it.tags.map((tag) => h("span", { class: "tag" }, tag)),
        it.includes.join(", "),
        [it.includes.length ? `${it.stubs}+${it.includedStubs ?? "?"}` : it.stubs, "number"],
        button("Start", () => start(it.scenario), {
          "aria-label": `Start a session of ${it.scenario}`,
        }),
      ]))));
  }

  async function start(scenario) {
    try {
      const session = await startSession(app, { scenario });
      fill(told, "Started: ", h("a", { href: session.baseURL }, session.baseURL));
    } catch (error) {
      fill(told, alertOf(error));
    }
  }

  main.append(h("h2", {}, "Scenarios"), h("div", { class: "tools" },
    h("label", {}, "Search ", search), h("a", { href: "#edit" }, "New scenario")), tags, told,
    result);
  get("scenarios").then((all) => {
    scenarios = all;
    fill(tags, [...new Set(all.flatMap((it) => it.tags))].sort().slice(0, 40).map(tagButton));
    show();
  }).catch((error) => fill(result, alertOf(error)));
}

async function startSession(app, settings) {
  const session = JSON.parse((await ask("POST", "sessions", settings)).text);
  await app.refresh(session.id);
  return session;
}

export function showSessions(main, app) {
  const scenario = h("input", { required: true, list: "names", autocomplete: "off" });
  const name = h("input", { autocomplete: "off" });
  const pace = h("select", {}, ["real", "instant"].map((it) => h("option", {}, it)));
  const names = h("datalist", { id: "names" });
  const told = h("div", { role: "status" });
  const list = table("Sessions, each with a run of its own",
    ["Session", "Scenario", "Pace", ["Requests", "number"], "Address", "Actions"], []);
  const flows = h("section", { hidden: true });
  const body = list.tBodies[0];
  const counts = new Map();

  /** Adds, removes and updates rows in place, so that the focus stays where it is. */
  function show() {
    const ids = new Set(app.sessions.map(({ id }) => id));
    for (const [id, { line }] of counts) {
      if (ids.has(id)) continue;
      line.remove();
      counts.delete(id);
    }
    for (const session of app.sessions) {
      if (!counts.has(session.id)) {
        const made = rowOf(session);
        counts.set(session.id, made);
        body.append(made.line);
      }
      const { count } = counts.get(session.id);
      if (count.textContent !== String(session.requests)) count.textContent = session.requests;
    }
  }

  function rowOf(session) {
    const label = session.name ?? session.id;
    const count = h("span");
    const line = row([
      session.name ? `${session.name} (${session.id})` : session.id,
      [session.scenario, session.overlays.join(", ")].filter(Boolean).join(" + "), session.pace,
      [count, "number"], h("a", { href: session.baseURL }, session.baseURL),
      h("div", { class: "tools" },
        button("Journal", () => showJournalOf(session), { "aria-label": `Journal of ${label}` }),
        button("Flows", () => showFlows(session), { "aria-label": `Flows of ${label}` }),
        button("Reset", () => act(reset, session), { "aria-label": `Reset ${label}` }),
        session.hostURL === null ? null
          : button("End", () => act(end, session), { "aria-label": `End ${label}` })),
    ]);
    return { line, count };
  }

  function showJournalOf(session) {
    app.refresh(session.id).then(() => { location.hash = "#journal"; });
  }

  /** The states of a session's flows, each with a field that sets it. */
  async function showFlows(session) {
    const label = session.name ?? session.id;
    try {
      const path = `sessions/${session.id}/flows`;
      const states = Object.entries(await get(path)).sort();
      fill(flows, h("h3", { tabindex: -1 }, `Flows of ${label}`),
        states.length === 0 ? h("p", {}, "The scenario has no flows.") : null,
        states.map(([name, state]) => flowOf(`${path}/${encodeURIComponent(name)}`, name, state)),
        button("Close", () => { flows.hidden = true; }));
      flows.setAttribute("aria-label", `Flows of ${label}`);
      flows.hidden = false;
      flows.querySelector("h3").focus();
    } catch (error) {
      fill(told, alertOf(error));
    }
  }

  function flowOf(path, name, state) {
    const input = h("input", { value: state, required: true, autocomplete: "off" });
    const set = async (event) => {
      event.preventDefault();
      try {
        await ask("PUT", path, { state: input.value });
        fill(told, `${name} is ${input.value} now.`);
      } catch (error) {
        fill(told, alertOf(error));
      }
    };
    return h("form", { onsubmit: set, class: "tools" },
      h("label", {}, `${name} `, input), h("button", { "aria-label": `Set ${name}` }, "Set"));
  }

  async function act(action, session) {
    try {
      fill(told, await action(session));
      await refresh();
    } catch (error) {
      fill(told, alertOf(error));
    }
  }

  async function reset(session) {
    await ask("POST", `sessions/${session.id}/reset`, {});
    if (app.followed === session.id) app.follow();
    return `${session.name ?? session.id} begins anew.`;
  }

  async function end(session) {
    const { problems } = JSON.parse((await ask("DELETE", `sessions/${session.id}`)).text);
    const label = session.name ?? session.id;
    if (problems.length === 0) return `${label} ended without problems.`;
    return [
      h("h3", {}, `${label} ended with ${problems.length} problems`),
      problems.map(({ message }) => h("pre", { class: "problem" }, message)),
    ];
  }

  async function refresh() {
    await app.refresh();
    show();
  }

  async function submit(event) {
    event.preventDefault();
    const settings = { scenario: scenario.value, pace: pace.value };
    if (name.value) settings.name = name.value;
    try {
      const session = await startSession(app, settings);
      fill(told, "Started: ", h("a", { href: session.baseURL }, session.baseURL));
      show();
    } catch (error) {
      fill(told, alertOf(error));
    }
  }

  main.append(h("h2", {}, "Sessions"), told, list, flows,
    h("form", { onsubmit: submit, "aria-labelledby": "new" },
      h("h3", { id: "new" }, "Start a session"), h("div", { class: "tools" },
        h("label", {}, "Scenario ", scenario), h("label", {}, "Name ", name),
        h("label", {}, "Pace ", pace), h("button", {}, "Start")), names));
  refresh().catch((error) => fill(told, alertOf(error)));
  get("scenarios").then((all) => fill(names, all.slice(0, most).map(
    (it) => h("option", { value: it.scenario })))).catch(() => {});
  const timer = setInterval(() => refresh().catch(() => {}), 2000);
  return () => clearInterval(timer);
}

export function showCoverage(main, app) {
  const unused = h("input", { type: "checkbox", onchange: () => show() });
  const unreachable = h("p", { role: "status" });
  const result = h("div");
  let coverage = null;

  function show() {
    const { stubs, scenario, used } = coverage;
    const found = stubs.filter(({ answers }) => !unused.checked || answers === 0)
      .sort((one, other) => other.answers - one.answers);
    const lost = stubs.filter(({ shadowedBy }) => shadowedBy !== null).length;
    unreachable.textContent = lost === 0 ? "" : `${lost} ${lost === 1 ? "stub" : "stubs"} can never answer.`;
    const caption = `${used} of ${stubs.length} stubs of ${scenario} have answered`;
    fill(result, table(limited(caption, found),
      ["Stub", "Request", "Scenario", ["Responses", "number"], ["Answers", "number"]],
      found.slice(0, most).map((it) => row([
        h("a", {
          href: `#edit/${[it.scenario, it.key].map(encodeURIComponent).join("/")}`,
        }, it.key), [it.request, "code"], it.scenario, [it.responses, "number"],
        [answersOf(it), it.answers === 0 ? "number bad" : "number"],
      ]))));
  }

  function answersOf({ answers, shadowedBy }) {
    if (shadowedBy !== null) return `never can: “${shadowedBy}” always comes first`;
    return answers === 0 ? "never" : answers;
  }

  let [shownText, isAsking] = ["", false];
  async function refresh() {
    if (isAsking || !app.session) return;
    isAsking = true;
    try {
      const { text } = await ask("GET", `sessions/${app.session.id}/coverage`);
      if (text === shownText) return;
      [shownText, coverage] = [text, JSON.parse(text)];
      show();
    } catch (error) {
      fill(result, alertOf(error));
    } finally {
      isAsking = false;
    }
  }

  main.append(h("h2", {}, "Coverage"),
    h("div", { class: "tools" }, h("label", {}, unused, "Only stubs that never answered")),
    unreachable, result);
  refresh();
  // Less often than rows of the journal: all stubs are counted for it.
  const timer = setInterval(refresh, 1000);
  return () => clearInterval(timer);
}
