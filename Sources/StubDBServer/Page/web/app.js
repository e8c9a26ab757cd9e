// The frame of the page: which view is shown, of which session.
import { Feed, get, takeToken, whenTokenIsNeeded } from "./api.js";
import { fill, h } from "./dom.js";
import { showEditor } from "./editor.js";
import { showJournal } from "./journal.js";
import { showCoverage, showScenarios, showSessions } from "./lists.js";
import { showReview } from "./review.js";

const views = {
  journal: ["Journal", showJournal],
  review: ["Unmatched", showReview],
  scenarios: ["Scenarios", showScenarios],
  edit: ["Editor", showEditor],
  coverage: ["Coverage", showCoverage],
  sessions: ["Sessions", showSessions],
};

const picker = document.querySelector("#session");
const connection = document.querySelector("#connection");
const main = document.querySelector("#view");

/** What the views share. */
const app = {
  feed: new Feed(),
  /** The sessions of the server. */
  sessions: [],
  /** A stub that the editor is to add, as text. */
  draft: null,
  /** What was written in the editor and not saved, when another view was shown. */
  unsaved: null,

  get session() { return app.sessions.find(({ id }) => id === picker.value) ?? null; },

  /** Reads the sessions again, and shows another one if it is given. */
  async refresh(chosen = picker.value) {
    app.sessions = await get("sessions");
    const before = app.followed;
    fill(picker, app.sessions.map((it) => h("option", { value: it.id },
      `${it.name ?? it.id} · ${it.scenario}`)));
    if (app.sessions.some(({ id }) => id === chosen)) picker.value = chosen;
    if (picker.value !== before) app.follow();
  },

  follow() {
    app.followed = picker.value;
    if (picker.value) app.feed.follow(picker.value);
  },
};

let leave = null;

/** Shows the view that the address names: `#view/argument/…`. */
function route() {
  const [name, ...rest] = location.hash.slice(1).split("/").map(decodeURIComponent);
  const key = name in views ? name : "journal";
  const [title, show] = views[key];
  fill(document.querySelector("#views"), Object.entries(views).map(([id, [label]]) =>
    h("a", { href: `#${id}`, "aria-current": id === key ? "page" : null }, label)));
  document.title = `${title} · stubdb`;
  leave?.();
  leave = show(fill(main), app, rest) ?? null;
}

/** Asks for the token; it is kept as long as the page is open. */
function askForToken() {
  leave?.();
  leave = null;
  connection.textContent = "token needed";
  return new Promise((resolve) => {
    const input = h("input", { type: "password", autocomplete: "off", required: true });
    const submit = (event) => {
      event.preventDefault();
      resolve(input.value);
      route();
    };
    fill(main, h("h2", {}, "This server wants a token"),
      h("p", {}, "It was printed when the server started."),
      h("form", { onsubmit: submit }, h("label", {}, "Token ", input), h("button", {}, "Use it")));
    input.focus();
  });
}

function showConnection() {
  const { state, trouble } = app.feed;
  const alert = document.querySelector("#trouble");
  if (alert.textContent !== trouble) alert.textContent = trouble;
  if (connection.textContent === state) return;
  connection.textContent = state;
  connection.className = state;
}

await takeToken();
let asking = null;
whenTokenIsNeeded(() => {
  asking ??= askForToken().finally(() => { asking = null; });
  return asking;
});
app.feed.watch(showConnection);
picker.addEventListener("change", () => { app.follow(); route(); });
window.addEventListener("hashchange", () => { route(); main.focus(); });
try {
  await app.refresh();
  route();
} catch (error) {
  fill(main, h("p", { role: "alert", class: "problem" }, error.message));
}
