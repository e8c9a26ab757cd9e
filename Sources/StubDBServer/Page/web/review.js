// The requests that no stub answers, grouped, to be made into stubs.
import { get } from "./api.js";
import { alertOf, button, fill, h, row, table } from "./dom.js";
import { makeStub, readEntry } from "./request.js";

/** The largest number of groups that are shown. */
const most = 500;
/** The largest number of requests that are looked through at once. */
const mostAtOnce = 20;

export function showReview(main, app) {
  const told = h("div", { role: "status" });
  const result = h("div");
  const list = table("Requests that no stub answers, newest first",
    ["Request", ["Times", "number"], ["Last", "number"], "Actions"], []);
  const body = list.tBodies[0];
  const { session } = app;
  // Groups by method and URL without its query, in the order of their last requests.
  const groups = new Map();
  let [after, dropped, isAsking] = [0, 0, false];

  /** Reads what has come since; the server sends pages. */
  async function refresh() {
    if (isAsking || !session) return;
    isAsking = true;
    try {
      for (let pages = 0; pages < mostAtOnce; pages += 1) {
        const path = `sessions/${session.id}/journal?matched=false&limit=1000&after=${after}`;
        const page = await get(path);
        for (const event of page.events) add(event);
        dropped += page.dropped;
        if (page.next <= after) break;
        after = page.next;
      }
      show();
    } catch (error) {
      fill(result, alertOf(error));
    } finally {
      isAsking = false;
    }
  }

  function add({ number, method, url }) {
    const place = url.replace(/[?#].*$/, "");
    const key = `${method} ${place}`;
    const group = groups.get(key) ?? { method, place, count: 0, line: null };
    groups.delete(key);
    groups.set(key, { ...group, count: group.count + 1, number, isNew: true });
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
    fill(told, count === 0 ? "Every request so far was answered by a stub."
      : `${count} ${count === 1 ? "request waits" : "different requests wait"} for a stub.`,
    dropped > 0 ? ` ${dropped} older requests are no longer in the journal.` : "");
  }

  function lineOf(key) {
    const { method, place } = groups.get(key);
    const [count, number] = [h("span"), h("span")];
    const make = button("Make a stub of it", async () => {
      try {
        await makeStub(await readEntry(session.id, groups.get(key).number), session, app);
      } catch (error) {
        fill(result, alertOf(error));
      }
    }, { "aria-label": `Make a stub of ${method} ${place}` });
    return {
      count, number,
      row: row([[`${method} ${place}`, "code"], [count, "number"], [number, "number"], make]),
    };
  }

  main.append(h("h2", {}, "To review"), told, result, list);
  refresh();
  const timer = setInterval(refresh, 1000);
  return () => clearInterval(timer);
}
