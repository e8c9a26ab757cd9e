// The journal of a session: rows as they come, and one request in detail.
import { bytes, get, Feed, scenarioPath } from "./api.js";
import { alertOf, button, copyButton, fill, h, nearMisses, row, table } from "./dom.js";
import { curlCommand, decoded, matchCommand, pretty } from "./text.js";

/** A request of the journal with its content. */
export async function readEntry(session, number) {
  const path = `sessions/${session}/journal/${number}`;
  const entry = await get(path);
  const content = entry.requestBytes > 0 ? await bytes(`${path}/request-body`) : null;
  const text = content === null ? "" : decoded(content);
  return { ...entry, text };
}

export function showJournal(main, app) {
  const filter = h("select", { onchange: rebuild }, [
    ["all", "all requests"], ["matched", "answered by a stub"], ["unmatched", "no stub answers"],
  ].map(([value, label]) => h("option", { value }, label)));
  const pause = button("Pause", togglePause, { "aria-pressed": "false" });
  const news = h("span", { "aria-live": "polite", class: "quiet", id: "news" });
  const list = table(`The last ${Feed.size} requests, newest first`,
    [["No.", "number"], "Method", "URL", ["Status", "number"], "Answer"], [],
    { class: "journal" });
  const body = list.tBodies[0];
  const detail = h("section", { id: "detail", "aria-label": "Request", hidden: true });
  const columns = h("div", { class: "columns" }, list);
  const dropped = h("span", { class: "quiet", id: "dropped" });
  main.append(h("h2", {}, "Journal"),
    h("div", { class: "tools" }, h("label", {}, "Show ", filter), pause, news, dropped), columns);

  // The last number that is shown, or known while the list rests.
  let [shown, known, epoch, told, open] = [0, 0, app.feed.epoch, 0, null];

  const isPaused = () => pause.getAttribute("aria-pressed") === "true";
  const accepts = (entry) =>
    filter.value === "all" || entry.matched === (filter.value === "matched");

  function rowOf(entry) {
    const answer = entry.matched
      ? `${entry.scenario ?? ""} › ${entry.key}`
        + (entry.response === null ? ", from the network" : `, response ${entry.response}`)
      : "no stub answers";
    const opener = button(entry.number, () => openEntry(entry.number), {
      "aria-expanded": String(open === entry.number), "aria-controls": "detail",
      "aria-label": `Request ${entry.number}: ${entry.method} ${entry.url}`,
    });
    return row([
      [opener, "number"], [entry.method, "code"], [entry.url, "code"],
      [entry.status ?? "", "number"],
      [entry.remark ? `${answer} (${entry.remark})` : answer, entry.matched ? null : "bad"],
    ], {
      class: `${entry.matched ? "" : "unmatched"}${open === entry.number ? " open" : ""}`,
      "data-number": entry.number,
    });
  }

  function togglePause() {
    pause.setAttribute("aria-pressed", String(!isPaused()));
    update();
  }

  function rebuild() {
    const { entries } = app.feed;
    shown = known = entries.at(-1)?.number ?? 0;
    body.replaceChildren(...entries.filter(accepts).reverse().map(rowOf));
  }

  /** Adds what is new at the top, and removes at the bottom what the ring has let go. */
  function update() {
    const { entries } = app.feed;
    if (epoch !== app.feed.epoch) {
      epoch = app.feed.epoch;
      return rebuild();
    }
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
    detail.hidden = true;
    detail.remove();
    (line?.querySelector("button") ?? filter).focus();
  }

  async function openEntry(number) {
    if (open === number) return close();
    if (open !== null) mark(open, false);
    open = number;
    mark(number, true);
    const { session } = app;
    try {
      const entry = await readEntry(session.id, number);
      if (open === number) fill(detail, await describe(entry, session, app, close));
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
  };
}

async function describe(entry, session, app, close) {
  const answer = entry.matched
    ? await answerOf(entry) : nearMisses(await get(
      `sessions/${session.id}/journal/${entry.number}/near-misses`));
  const text = entry.text === null ? `${entry.requestBytes} bytes that are not text` : entry.text;
  return [
    h("h3", {}, `Request ${entry.number}`),
    h("p", { class: "code" }, `${entry.method} ${entry.url}`),
    h("div", { class: "tools" },
      button("Make a stub of it", async () => makeStub(entry, session, app)),
      copyButton("Copy as curl", () => curlCommand(entry, entry.text, session.baseURL)),
      copyButton("Copy stubdb match", () =>
        matchCommand(session.scenario, entry, entry.text)),
      button("Close", close)),
    h("details", {}, h("summary", {}, `${entry.headers.length} header fields`),
      h("dl", { class: "code" }, entry.headers.flatMap(
        ([name, value]) => [h("dt", {}, name), h("dd", {}, value)]))),
    text ? h("pre", { tabindex: 0, "aria-label": "Content" }, pretty(text)) : null,
    h("h3", {}, entry.matched ? "Answer" : "No stub answers"),
    entry.status === null ? null : h("p", {}, `Status ${entry.status}`),
    entry.remark ? h("p", {}, `The client got: ${entry.remark}.`) : null,
    answer,
  ];
}

/** The stub that answered, as it is in the catalog now. */
async function answerOf(entry) {
  if (entry.scenario === null) return h("p", {}, entry.key);
  const path = [entry.scenario, entry.key].map(encodeURIComponent).join("/");
  const link = h("a", { href: `#edit/${path}` }, `${entry.scenario} › ${entry.key}`);
  try {
    const response = await responseOf(entry);
    return [
      h("p", {}, `Response ${entry.response} of `, link), h("pre", { tabindex: 0 },
        JSON.stringify(response, null, 2)),
    ];
  } catch {
    return h("p", {}, link, ", which is no longer in the catalog");
  }
}

async function responseOf(entry) {
  const stub = await get(
    `${scenarioPath(entry.scenario)}/stubs/${encodeURIComponent(entry.key)}`);
  return stub.responses[(entry.response ?? 1) - 1];
}

/** Opens the editor with a stub for this very request. */
export async function makeStub(entry, session, app) {
  let response = { status: 200, json: {} };
  if (entry.matched && entry.scenario !== null) {
    response = await responseOf(entry).catch(() => response);
  }
  const request = { method: entry.method, url: entry.url };
  let raw = null;
  if (entry.text) {
    try {
      JSON.parse(entry.text);
      raw = entry.text;
      request.body = { equalToJson: "@content@" };
    } catch {
      request.body = { equalTo: entry.text };
    }
  }
  const stub = { key: `request-${entry.number}`, request, responses: [response] };
  // Numbers stay as they were sent, which JavaScript might round.
  app.draft = JSON.stringify(stub, null, 2)
    .replace('"@content@"', () => raw?.trim() ?? '"@content@"');
  location.hash = `#edit/${encodeURIComponent(session.scenario)}`;
}
