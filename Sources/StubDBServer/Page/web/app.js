// The frame of the page: which view is shown, of which session.
import { get, readable, takeToken, whenTokenIsNeeded } from "./api.js";
import { showCoverage } from "./coverage.js";
import { button, fill, h, keepingFocus } from "./dom.js";
import { showEditor } from "./editor.js";
import { Feed } from "./feed.js";
import { showJournal } from "./journal.js";
import { showScenarios } from "./scenarios.js";
import { showSessions } from "./sessions.js";
import { showUnmatched } from "./unmatched.js";
import { restore } from "./unsaved.js";

const views = {
  journal: ["Journal", showJournal],
  unmatched: ["Unmatched", showUnmatched],
  scenarios: ["Scenarios", showScenarios],
  edit: ["Editor", showEditor],
  coverage: ["Coverage", showCoverage],
  sessions: ["Sessions", showSessions],
};

const picker = document.querySelector("#session");
const connection = document.querySelector("#connection");
const alert = document.querySelector("#trouble");
const main = document.querySelector("#view");

/** What the views share. */
const app = {
  feed: new Feed(),
  /** The sessions of the server. */
  sessions: [],
  /** What the editor is to change, and the request that it is about; null for nothing. */
  draft: null,
  /** What was written in the editor and not saved, by the scenario; "" is a new one. */
  unsaved: new Map(),
  /** The scenario that the editor had last. */
  edited: null,

  get session() { return app.sessions.find(({ id }) => id === picker.value) ?? null; },

  /** Reads the sessions again, and shows another one if it is given. */
  async refresh(wanted = null) {
    app.sessions = await get("sessions");
    // Another one may have been chosen meanwhile.
    const chosen = wanted ?? picker.value;
    const hasEnded = app.followed === chosen && !app.sessions.some(({ id }) => id === chosen);
    const labels = app.sessions.map((it) => [it.id, labelOf(it), false]);
    if (hasEnded) labels.push([chosen, `${chosen} (ended)`, true]);
    // A list that is open rests while nothing changes.
    if (JSON.stringify(labels) !== listed) {
      listed = JSON.stringify(labels);
      fill(picker, labels.map(([value, label, disabled]) => h("option", { value, disabled }, label)));
    }
    if (chosen) picker.value = chosen;
    if (picker.selectedIndex < 0) picker.selectedIndex = 0;
    if (picker.value !== app.followed) app.follow();
  },

  follow() {
    app.followed = picker.value;
    if (picker.value) app.feed.follow(picker.value);
  },
};

const labelOf = ({ id, name, scenario }) => `${name ?? id} · ${scenario}`;

let listed = "";
let leave = null;

/** Shows the view that the address names: `#view/argument/…`. */
function route() {
  const [name, ...rest] = location.hash.slice(1).split("/").map(readable);
  const key = Object.hasOwn(views, name) ? name : "journal";
  const [title, show] = views[key];
  document.title = `${title} · stubdb`;
  leave?.();
  main.className = key;
  leave = show(fill(main), app, rest) ?? null;
  const links = document.querySelector("#views");
  keepingFocus(links, () => fill(links, Object.entries(views).map(([id, [label]]) =>
    h("a", { href: `#${id === "edit" ? editPath() : id}`, "aria-current": id === key ? "page" : null }, label))));
}

/** The scenario that was edited last, or that of the session. */
const editPath = () => `edit/${encodeURIComponent(app.edited ?? app.session?.scenario ?? "")}`;

/** Asks for the token; it is kept as long as the page is open. */
function askForToken(wasRefused) {
  leave?.();
  leave = null;
  connection.textContent = "token needed";
  return new Promise((resolve) => {
    const input = h("input", { type: "password", autocomplete: "off", required: true });
    const submit = (event) => {
      event.preventDefault();
      resolve(input.value);
      // The stream of events needs the token too.
      setTimeout(() => { app.follow(); route(); });
    };
    fill(main, h("h2", {}, "This server wants a token"),
      wasRefused ? h("p", { role: "alert", class: "problem" }, "This is not the token of this server.") : null,
      h("p", {}, "It was printed when the server started."),
      h("form", { onsubmit: submit }, h("label", {}, "Token ", input), h("button", {}, "Use it")));
    input.focus();
  });
}

/** Says what keeps the page from showing what happens, and what to do. */
function troubleOf({ state, trouble }) {
  if (state === "lost") {
    return [`The server at ${location.host} does not answer. If it has ended, start it again with `,
      h("code", {}, `stubdb serve ${app.session?.scenario ?? "SCENARIO"}`), "; this page then goes on by itself."];
  }
  if (state === "ended") {
    const [other] = app.sessions.filter(({ id }) => id !== app.followed);
    return [`The session ${app.followed} has ended, and its journal with it. `,
      other ? button(`Show ${labelOf(other)}`, () => app.refresh(other.id).then(route).catch(() => {}))
        : ["Start one from ", h("a", { href: "#scenarios" }, "Scenarios"), "."]];
  }
  return trouble ? [trouble] : [];
}

let told = "";

function showConnection() {
  const { state, trouble } = app.feed;
  const text = `${state} ${trouble}`;
  if (text === told) return;
  const wasEnded = told.startsWith("ended");
  told = text;
  [connection.textContent, connection.className] = [state, state];
  fill(alert, troubleOf(app.feed));
  if (state === "ended" && !wasEnded) {
    app.refresh().then(() => fill(alert, troubleOf(app.feed))).catch(() => {});
  }
}

await takeToken();
let asking = null;
whenTokenIsNeeded((wasRefused) => {
  asking ??= askForToken(wasRefused).finally(() => { asking = null; });
  return asking;
});
app.feed.watch(showConnection);
restore(app.unsaved);
picker.addEventListener("change", () => { app.follow(); route(); });
window.addEventListener("hashchange", () => {
  route();
  main.focus({ preventScroll: true });
  app.refresh().catch(() => {});
});
try {
  await app.refresh();
  route();
} catch (error) {
  fill(main, h("p", { role: "alert", class: "problem" }, error.message));
}
