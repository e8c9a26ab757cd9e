// The requests that no stub answers, grouped, to get stubs of their own.
import { ask, get, scenarioPath } from "./api.js";
import { alertOf, button, fill, h, row, table } from "./dom.js";
import { makeStub, openingButton } from "./draft.js";
import { questionOf, readEntry, readMisses } from "./request.js";

/** The largest number of groups that are shown. */
const most = 500;
/** The largest number of requests that are looked through at once. */
const mostAtOnce = 20;

export function showUnmatched(main, app) {
  const told = h("div", { role: "status" });
  const result = h("div");
  /** What went wrong with a button; reading the journal does not take it away. */
  const wrong = h("div");
  const list = table("Unmatched requests, newest first",
    ["Request", ["Times", "number"], ["Last", "number"], "Actions"], [], { class: "cards" });
  const body = list.tBodies[0];
  const { session } = app;
  // Groups by method and URL without its query, in the order of their last requests.
  const groups = new Map();
  let [after, dropped, isAsking, tag] = [0, 0, false, null];
  // Numbers begin anew with a run; the catalog tells when stubs have changed.
  let [epoch, catalog] = [app.feed.listing?.epoch ?? 0, null];
  let said = null;

  /** Forgets what the run before had. */
  function begin() {
    groups.clear();
    fill(body);
    [after, dropped, tag, epoch] = [0, 0, null, app.feed.listing.epoch];
  }

  /** Reads what has come since; the server sends pages. */
  async function refresh() {
    if (!session) return show();
    if (isAsking) return;
    isAsking = true;
    try {
      if (app.feed.listing && epoch !== app.feed.listing.epoch) begin();
      for (let pages = 0; pages < mostAtOnce; pages += 1) {
        const path = `sessions/${session.id}/journal?matched=false&limit=1000&after=${after}`;
        const page = await get(path);
        for (const event of page.events) add(event);
        dropped += page.dropped;
        if (page.next <= after) break;
        after = page.next;
      }
      show();
      await takeOutAnswered();
      fill(result);
    } catch (error) {
      fill(result, alertOf(error));
    } finally {
      isAsking = false;
    }
  }

  /** The tags of a scenario and of all that it includes; null if it cannot be read. */
  async function tagsOf(scenario, seen = new Set()) {
    if (seen.has(scenario)) return "";
    seen.add(scenario);
    const current = await ask("GET", scenarioPath(scenario)).catch(() => null);
    if (current === null) return null;
    const tags = [current.tag];
    // Those of other catalogs, and those that are missing, change nothing here.
    for (const name of JSON.parse(current.text).includes ?? []) tags.push(await tagsOf(name, seen));
    return tags.join(" ");
  }

  /** The tags of all that the session plays; null if its scenario cannot be read. */
  async function tagsOfSession() {
    const tags = await tagsOf(session.scenario);
    return tags === null ? null : [tags, ...await Promise.all(session.overlays.map((it) => tagsOf(it)))].join(" ");
  }

  /** Takes out the groups whose last request a stub answers now, if anything that the session plays has changed. */
  async function takeOutAnswered() {
    if (groups.size === 0 || catalog === app.feed.catalog) return;
    const changes = app.feed.catalog;
    const { scenario, overlays } = session;
    const current = await tagsOfSession();
    if (current === null) return;
    catalog = changes;
    if (current === tag) return;
    tag = current;
    for (const [key, group] of [...groups]) {
      // The journal may have it no longer.
      const entry = await readEntry(session.id, group.number).catch(() => null);
      if (entry === null) continue;
      const { matched } = await askWhether({ scenario, overlays, request: questionOf(entry) });
      if (matched && groups.get(key)?.number === group.number) putAway(key);
    }
    show();
  }

  const askWhether = async (question) => JSON.parse((await ask("POST", "match", question)).text);

  function putAway(key) {
    const row = groups.get(key)?.line?.row;
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    const hasFocus = row?.contains(document.activeElement);
    row?.remove();
    groups.delete(key);
    if (hasFocus) (next?.querySelector("button") ?? title).focus();
  }

  function add({ number, method, url }) {
    const place = url.replace(/[?#].*$/, "");
    const key = `${method} ${place}`;
    const group = groups.get(key) ?? { method, place, count: 0, line: null, url, isOneURL: true };
    groups.delete(key);
    groups.set(key, {
      ...group, count: group.count + 1, number, isNew: true,
      isOneURL: group.isOneURL && group.url === url,
    });
  }

  /** Adds and updates rows in place, so that the focus stays where it is. */
  function show() {
    for (const [key, group] of groups) {
      if (!group.isNew) continue;
      const made = group.line ?? lineOf(key);
      made.count.textContent = group.count;
      made.number.textContent = group.number;
      if (!group.line?.row.contains(document.activeElement)) body.prepend(made.row);
      groups.set(key, { ...group, line: made, isNew: false });
    }
    while (body.children.length > most) body.lastChild.remove();
    const count = groups.size;
    list.hidden = count === 0;
    // A status that stays is not announced again.
    const text = JSON.stringify([count, dropped]);
    if (text === said) return;
    said = text;
    fill(told, count === 0
      ? [h("p", {}, session ? "A stub has answered every request so far." : "No session plays a scenario."),
        session && h("p", { class: "quiet" }, "Requests that no stub answers are listed here, each with a button that adds one. ",
          h("code", {}, session.baseURL), " is the address that clients call.")]
      : `${count} ${count === 1 ? "request" : "different requests"} without a stub.`,
    dropped > 0 ? ` ${dropped} older requests are no longer in the journal.` : "");
  }

  function lineOf(key) {
    const { method, place } = groups.get(key);
    const [count, number] = [h("span"), h("span")];
    const make = openingButton("Add a stub for this", wrong, async () => {
      const { number, isOneURL } = groups.get(key);
      const [entry, misses] = await Promise.all([readEntry(session.id, number), readMisses(session.id, number)]);
      // A stub for all requests of the group, and not for the last one only.
      await makeStub(entry, session, app, { misses, isQueryFree: !isOneURL });
    }, { "aria-label": `Add a stub for this: ${method} ${place}` });
    const away = button("Put away", () => {
      putAway(key);
      show();
    }, { "aria-label": `Put away ${method} ${place} until it is asked again` });
    return {
      count, number,
      row: row([[`${method} ${place}`, "code"], [count, "number times"], [number, "number last"],
        h("div", { class: "tools" }, make, away)]),
    };
  }

  const title = h("h2", { tabindex: -1 }, "Unmatched");
  main.append(title, told, result, wrong, list);
  refresh();
  const timer = setInterval(() => { if (!document.hidden) refresh(); }, 1000);
  return () => clearInterval(timer);
}
