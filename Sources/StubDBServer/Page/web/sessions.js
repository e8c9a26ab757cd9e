// The sessions of the server: start, reset and end them, see and set their flows.
import { ask, get } from "./api.js";
import { alertOf, button, copyButton, fill, h, keepingFocus, mostRows, row, table } from "./dom.js";

/** Starts a session, and shows it. */
export async function startSession(app, settings) {
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
    ["Session", "Scenario", "Plays", ["Requests", "number"], "Address", "Actions"], [], { class: "cards" });
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
      const { requests, dropped, ...settings } = session;
      const text = JSON.stringify(settings);
      const known = counts.get(session.id);
      if (known?.text !== text) {
        const made = { ...rowOf(session), text };
        counts.set(session.id, made);
        if (known) keepingFocus(body, () => known.line.replaceWith(made.line));
        else body.append(made.line);
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
      [session.scenario, session.overlays.join(", ")].filter(Boolean).join(" + "),
      settingsOf(session), [count, "number requests"],
      h("span", { class: "tools" }, h("a", { href: session.baseURL, class: "address" }, session.baseURL),
        copyButton("Copy", () => session.baseURL)),
      h("div", { class: "tools" },
        button("Journal", () => showJournalOf(session), { "aria-label": `Journal of ${label}` }),
        button("Flows", ({ currentTarget }) => showFlows(session, currentTarget), { "aria-label": `Flows of ${label}` }),
        asked("Reset", label, () => act(reset, session)),
        session.hostURL === null ? null : asked("End", label, () => act(end, session))),
    ]);
    return { line, count };
  }

  /** What differs from a session of the command line without options, in words. */
  function settingsOf({ pace, seed, unmatched, cors }) {
    return [`pace ${pace}`, `unmatched ${unmatched}`, seed ? `seed ${seed}` : null, cors ? null : "no CORS"]
      .filter(Boolean).join(", ");
  }

  /** A button whose second click within some seconds counts. */
  function asked(word, label, body) {
    const it = button(word, () => {
      if (it.textContent === word) {
        it.textContent = `${word}?`;
        fill(told, `Click ${word} again for ${label}.`);
        setTimeout(() => { it.textContent = word; }, 4000);
      } else {
        it.textContent = word;
        body();
      }
    }, { "aria-label": `${word} ${label}`, title: "Click twice" });
    return it;
  }

  function showJournalOf(session) {
    app.refresh(session.id).then(() => { location.hash = "#journal"; });
  }

  /** The states of a session's flows, each with a field that sets it. */
  async function showFlows(session, opener) {
    const label = session.name ?? session.id;
    try {
      const path = `sessions/${session.id}/flows`;
      const states = Object.entries(await get(path)).sort();
      fill(flows, h("h3", { tabindex: -1 }, `Flows of ${label}`),
        states.length === 0 ? h("p", {}, "The scenario has no flows.") : null,
        states.map(([name, state]) => flowOf(`${path}/${encodeURIComponent(name)}`, name, state)),
        button("Close", () => {
          flows.hidden = true;
          opener.focus();
        }));
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
      h("h3", {}, `${label} ended with ${problems.length} ${problems.length === 1 ? "problem" : "problems"}`),
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
  get("scenarios").then((all) => fill(names, all.slice(0, mostRows).map(
    (it) => h("option", { value: it.scenario })))).catch(() => {});
  const timer = setInterval(() => { if (!document.hidden) refresh().catch(() => {}); }, 2000);
  return () => clearInterval(timer);
}
