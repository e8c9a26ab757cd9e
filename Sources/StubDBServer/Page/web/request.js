// One request of a journal: what was sent both ways, and its outcome.
import { bytes, get } from "./api.js";
import { curlCommand, matchCommand } from "./commands.js";
import { contentOf, fieldList, fieldOf, uncoded } from "./content.js";
import { button, copyButton, differences, fill, h, keepingFocus, nearMisses, row, table } from "./dom.js";
import { changeStub, isForTarget, makeStub, openingButton } from "./draft.js";
import { base64Of, dayOf, decoded, duration, partsOf, phraseOf, timeOfDay } from "./text.js";

/** How often the outcome of a request is read again while it is shown, in milliseconds. */
const pause = 1000;
const nothing = new Uint8Array();

const pathOf = (session, number) => `sessions/${session}/journal/${number}`;

/** A request of the journal with its content, and its text without codings; null for what is not text. */
export async function readEntry(session, number) {
  const path = pathOf(session, number);
  const entry = await get(path);
  const content = entry.requestBytes > 0 ? await bytes(`${path}/request-body`) : nothing;
  const plain = await uncoded(content, fieldOf(entry.headers, "content-encoding"));
  return { ...entry, content, text: plain && decoded(plain) };
}

/** The stubs that are nearest to a request that none answered, the nearest first. */
export const readMisses = (session, number) => get(`${pathOf(session, number)}/near-misses`);

/** The request as `match` takes it, with its content as it came: its header fields say how that is coded. */
export function questionOf({ method, url, headers, content }) {
  return { method, url, headers, ...(content.length > 0 ? { base64: base64Of(content) } : {}) };
}

/** What its client was sent, with the content that is kept; null if there is nothing. */
async function readSent(session, number) {
  const path = pathOf(session, number);
  try {
    const sent = await get(`${path}/response`);
    const content = sent.keptBytes > 0 ? await bytes(`${path}/response-body`) : nothing;
    return { ...sent, content };
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** The elements that show a request, and what ends their updates. */
export async function describe(entry, session, app, close) {
  const path = pathOf(session.id, entry.number);
  const misses = entry.matched ? [] : await readMisses(session.id, entry.number);
  const wrong = h("div");
  const answer = h("section", { "aria-label": "Answer" });
  const stop = await keepCurrent(answer, entry, session, () => (entry.matched
    ? [h("h4", {}, "Answer"), fromOf(entry)] : missOf(entry, misses, session, app, wrong)));
  const { path: place, query } = partsOf(entry.url);
  const make = async () => makeStub(entry, session, app, { sent: await readSent(session.id, entry.number) });
  return [[
    h("div", { class: "bar" },
      h("h3", { tabindex: -1 }, `Request ${entry.number}`),
      h("p", { class: "code" }, `${entry.method} ${place}${query}`),
      h("div", { class: "tools" },
        // What a WebSocket said is no response.
        entry.matched && entry.frames === null ? openingButton("Add a stub for this", wrong, make) : null,
        copyButton("Copy as curl", () => curlCommand(entry, session.baseURL)),
        copyButton("Copy stubdb match", () => matchCommand(session, entry)),
        button("Close", close, { title: "Escape" })), wrong),
    h("div", { class: "columns" },
      h("section", { "aria-label": "Request" }, h("h4", {}, "Request"),
        h("p", { class: "code" }, `${entry.method} ${entry.url}`),
        h("p", { class: "quiet" }, "Came at ",
          h("time", { datetime: entry.at, title: entry.at }, dayOf(entry.at), timeOfDay(entry.at))),
        fieldList(entry.headers, "Header fields of the request"),
        await contentOf("Content", entry.content, entry.headers)),
      answer),
  ], stop];
}

/** Shows the answer, and again when it changes; the result ends it. */
async function keepCurrent(answer, entry, session, headOf) {
  const path = pathOf(session.id, entry.number);
  let shown = "";
  const show = async (current) => {
    const { status, durationMs, remark, callbacks, frames, frameCount, stubChangedAt } = current;
    const text = JSON.stringify([status, durationMs, remark, callbacks, frames, frameCount, stubChangedAt]);
    if (text === shown) return;
    shown = text;
    const sent = durationMs === null ? null : await readSent(session.id, entry.number);
    const content = sent && await sentOf(sent);
    refill(answer, headOf(),
      h("div", { id: "outcome" }, h("p", {}, ending(status, durationMs)),
        remark ? h("p", {}, `The client got: ${remark}.`) : null,
        stubChangedAt ? changedOf(current) : null,
        callbacks.length > 0 ? callbacksOf(callbacks) : null,
        frames === null ? null : framesOf(frames, frameCount)),
      entry.matched ? content
        : content && h("details", {}, h("summary", {}, "What the client got"), content));
  };
  await show(entry);
  let isAsking = false;
  const timer = setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    const current = await get(path).catch(() => null);
    // After a reset, the number may be that of another request.
    if (current?.at === entry.at) await show(current).catch(() => {});
    isAsking = false;
  }, pause);
  return () => clearInterval(timer);
}

/** Shows other contents, with the focus and what was opened as they were. */
function refill(element, ...children) {
  const opened = [...element.querySelectorAll("details[open] > summary")].map((it) => it.textContent);
  keepingFocus(element, () => {
    fill(element, ...children);
    for (const it of element.querySelectorAll("summary")) it.parentElement.open = opened.includes(it.textContent);
  });
}

async function sentOf(sent) {
  return [fieldList(sent.headers, "Header fields of the answer"),
    await contentOf("Content of the answer", sent.content, sent.headers, sent.bytes)];
}

function ending(status, durationMs) {
  if (durationMs === null) return "The answer has not ended yet.";
  return status === null
    ? `No status; it took ${duration(durationMs)}`
    : `Status ${status}${phraseOf(status) ? ` ${phraseOf(status)}` : ""} after ${duration(durationMs)}`;
}

const linkOf = ({ scenario, key }) => h("a", {
  href: `#edit/${[scenario, key].map(encodeURIComponent).join("/")}`,
}, `${scenario} › ${key}`);

/** The stub that answered. */
function fromOf(entry) {
  if (entry.scenario === null) return h("p", {}, entry.key);
  return h("p", {}, entry.response === null ? "Passed on by " : `Response ${entry.response} of `, linkOf(entry));
}

/** Says that the stub is another one now; what was sent stays. */
function changedOf({ stubChangedAt }) {
  return h("p", { class: "note" }, "The stub has been changed since, at ",
    h("time", { datetime: stubChangedAt }, timeOfDay(stubChangedAt).slice(0, 8)), ". Below is what was sent.");
}

/** The nearest stubs, the first one open, and what to do: what is probably meant comes first. */
function missOf(entry, misses, session, app, wrong) {
  const [nearest, ...others] = misses;
  const change = nearest
    ? openingButton(`Change “${nearest.key}” so that it answers`, wrong, () => changeStub(entry, nearest, app)) : null;
  const add = openingButton("Add a stub for this", wrong, () => makeStub(entry, session, app, { misses }));
  return [
    h("h4", {}, "Unmatched: no stub answers"),
    nearest ? [h("p", {}, "Nearest is ", linkOf(nearest), "."), nearMisses([nearest])] : nearMisses([]),
    h("div", { class: "tools" }, nearest && isForTarget(nearest, session) ? [change, add] : [add, change]),
    others.map((miss) => h("details", {}, h("summary", {}, `${miss.key} of ${miss.scenario}`),
      h("p", {}, linkOf(miss)), nearMisses([miss]))),
  ];
}

/** The calls after the answer, and their outcomes. */
function callbacksOf(callbacks) {
  return table("Callbacks", ["Call", ["Turn", "number"], "Outcome"], callbacks.map((it) => row([
    [`${it.method} ${it.url}`, "code"], [it.turn, "number"],
    [outcomeOf(it), { answered: "good", pending: "quiet" }[it.outcome] ?? "bad"],
  ])));
}

function outcomeOf({ outcome, status, durationMs, reason }) {
  switch (outcome) {
    case "answered": return `answered: status ${status} after ${duration(durationMs)}`;
    case "pending": return "no outcome yet";
    default: return `${outcome}: ${reason}`;
  }
}

/** The messages of a WebSocket, and what differs from what the script expects. */
function framesOf(frames, count) {
  const caption = count > frames.length
    ? `The last ${frames.length} of ${count} messages` : "Messages of the WebSocket";
  return [
    table(caption, [["Frame", "number"], "Outcome", "Message"], frames.map((it) => row([
      [it.frame ?? "other", "number"],
      [it.outcome, it.outcome.startsWith("not ") ? "bad" : null], [messageOf(it.text), "code"],
    ]))),
    frames.filter(({ mismatches }) => mismatches.length > 0).map((it) => differences(
      `Frame ${it.frame ?? ""} expects something else`, it.mismatches)),
  ];
}

/** A message without the quotation marks that the API has around text. */
function messageOf(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "string" ? value : text;
  } catch {
    // Text that has quotation marks itself, which the API leaves as they are.
    return /^"[^]*"$/.test(text) ? text.slice(1, -1) : text;
  }
}
