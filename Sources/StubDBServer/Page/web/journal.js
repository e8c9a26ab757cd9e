// The journal of a session: rows as they come.
import { get, Feed } from "./api.js";
import { alertOf, button, fill, h, row, table } from "./dom.js";
import { describe, readEntry } from "./request.js";
import { duration, timeOfDay } from "./text.js";

export function showJournal(main, app) {
  const filter = h("select", { onchange: rebuild }, [
    ["all", "all requests"], ["matched", "answered by a stub"], ["unmatched", "no stub answers"],
  ].map(([value, label]) => h("option", { value }, label)));
  const pause = button("Pause", togglePause, { "aria-pressed": "false" });
  const news = h("span", { "aria-live": "polite", class: "quiet", id: "news" });
  const list = table(`The last ${Feed.size} requests, newest first`,
    [["No.", "number"], ["Time", "wide"], "Method", "URL", ["Status", "number"],
      ["Took", "number wide"], "Answer"], [],
    { class: "journal" });
  const body = list.tBodies[0];
  const detail = h("section", { id: "detail", "aria-label": "Request", hidden: true });
  const columns = h("div", { class: "columns" }, list);
  const dropped = h("span", { class: "quiet", id: "dropped" });
  main.append(h("h2", {}, "Journal"),
    h("div", { class: "tools" }, h("label", {}, "Show ", filter), pause, news, dropped), columns);

  // The last number that is shown, or known while the list rests.
  let [shown, known, epoch, told, open] = [0, 0, app.feed.epoch, 0, null];
  // The rows of requests whose answers have not ended, with what is filled in then.
  let waiting = [];
  let stopDetail = null;

  const isPaused = () => pause.getAttribute("aria-pressed") === "true";
  const accepts = (entry) =>
    filter.value === "all" || entry.matched === (filter.value === "matched");

  function rowOf(entry) {
    const cells = [h("span"), h("span"), h("span")];
    fillIn(entry, cells);
    if (entry.durationMs === null) waiting.push({ entry, cells });
    const [status, took, answer] = cells;
    const opener = button(entry.number, () => openEntry(entry.number), {
      "aria-expanded": String(open === entry.number), "aria-controls": "detail",
      "aria-label": `Request ${entry.number}: ${entry.method} ${entry.url}`,
    });
    return row([
      [opener, "number"], [timeOfDay(entry.at), "wide"], [entry.method, "code"],
      [entry.url, "code"], [status, "number"], [took, "number wide"],
      [answer, entry.matched ? null : "bad"],
    ], {
      class: `${entry.matched ? "" : "unmatched"}${open === entry.number ? " open" : ""}`,
      "data-number": entry.number,
    });
  }

  /** Fills in what is known of the answer. */
  function fillIn(entry, [status, took, answer]) {
    const from = entry.response === null ? ", from the network" : `, response ${entry.response}`;
    const text = entry.matched ? `${entry.scenario ?? ""} › ${entry.key}${from}` : "no stub answers";
    status.textContent = entry.status ?? "";
    took.textContent = entry.durationMs === null ? "…" : duration(entry.durationMs);
    answer.textContent = entry.remark ? `${text} (${entry.remark})` : text;
  }

  /** Completes the rows whose answers have ended; those that are gone are forgotten. */
  function complete() {
    const first = app.feed.entries[0]?.number ?? 0;
    waiting = waiting.filter(({ entry, cells }) => {
      if (entry.durationMs === null) return entry.number >= first;
      fillIn(entry, cells);
      return false;
    });
  }

  function togglePause() {
    pause.setAttribute("aria-pressed", String(!isPaused()));
    update();
  }

  function rebuild() {
    const { entries } = app.feed;
    shown = known = entries.at(-1)?.number ?? 0;
    waiting = [];
    body.replaceChildren(...entries.filter(accepts).reverse().map(rowOf));
  }

  /** Adds what is new at the top, and removes at the bottom what the ring has let go. */
  function update() {
    const { entries } = app.feed;
    if (epoch !== app.feed.epoch) {
      epoch = app.feed.epoch;
      return rebuild();
    }
    complete();
    const last = entries.at(-1)?.number ?? 0;
    tell(last - known);
    if (isPaused()) return;
    const added = entries.filter((entry) => entry.number > shown && accepts(entry));
    [shown, known] = [last, last];
    if (added.length > 0) body.prepend(...added.reverse().map(rowOf));
    const first = entries[0]?.number ?? 0;
    while (body.lastChild && Number(body.lastChild.dataset.number) < first) {
      body.lastChild.remove();
    }
  }

  /** Says how many came, now and then, so that a screen reader is not flooded. */
  function tell(count) {
    const now = performance.now();
    if (count === 0 || now - told < 2000) return;
    told = now;
    news.textContent = `${count} new`;
  }

  function mark(number, isOpen) {
    const line = body.querySelector(`[data-number="${number}"]`);
    line?.classList.toggle("open", isOpen);
    line?.querySelector("button").setAttribute("aria-expanded", String(isOpen));
    return line;
  }

  function close() {
    const line = mark(open, false);
    open = null;
    stopDetail?.();
    detail.hidden = true;
    detail.remove();
    (line?.querySelector("button") ?? filter).focus();
  }

  async function openEntry(number) {
    if (open === number) return close();
    if (open !== null) mark(open, false);
    stopDetail?.();
    stopDetail = null;
    open = number;
    mark(number, true);
    const { session } = app;
    try {
      const entry = await readEntry(session.id, number);
      const [parts, stop] = await describe(entry, session, app, close);
      if (open !== number) return stop();
      stopDetail = stop;
      fill(detail, parts);
    } catch (error) {
      fill(detail, alertOf(error), button("Close", close));
    }
    detail.setAttribute("aria-label", `Request ${number}`);
    detail.hidden = false;
    columns.append(detail);
  }

  /** Says how many requests the limit of the journal has dropped. */
  async function count() {
    if (!app.session) return;
    const told = await get(`sessions/${app.session.id}`).catch(() => null);
    if (!told) return;
    const text = told.dropped > 0
      ? `${told.dropped} older requests are no longer in the journal` : "";
    if (dropped.textContent !== text) dropped.textContent = text;
  }

  rebuild();
  count();
  const timer = setInterval(count, 2000);
  const stop = app.feed.watch(update);
  return () => {
    clearInterval(timer);
    stop();
    stopDetail?.();
  };
}
