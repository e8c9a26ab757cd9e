// What was written in the editor and not saved, as long as the tab is open.

/** Keeps what is not saved for a page that is loaded again. */
export function keep(unsaved) {
  try {
    sessionStorage.setItem("unsaved", JSON.stringify([...unsaved]));
  } catch { /* It may be too much; the page still has it. */ }
}

/** Takes what was not saved from the page before it was loaded again, and asks before the tab is closed with it. */
export function restore(unsaved) {
  addEventListener("beforeunload", (event) => { if (unsaved.size > 0) event.preventDefault(); });
  try {
    for (const [name, it] of JSON.parse(sessionStorage.getItem("unsaved") ?? "[]")) unsaved.set(name, it);
  } catch { /* Some browsers have no storage. */ }
}
