// Two changes of one document, side by side.
import { button, fill, h } from "./dom.js";

/**
 * Shows both changes since a document was read; `theirs` is null if it was removed. The person chooses to `save` over
 * it, to `take` theirs or to go on to `edit`; then comes `end`.
 */
export function showConflict(element, { base, mine, theirs }, { save, take, edit, end }) {
  const choose = (label, action) => button(label, () => {
    element.hidden = true;
    action();
    end();
  });
  if (theirs === null) {
    fill(element, h("h3", { tabindex: -1 }, "The scenario was removed meanwhile"), choose("Save it as new", save));
  } else {
    fill(element, h("h3", { tabindex: -1 }, "The scenario was changed meanwhile"),
      h("div", { class: "columns" }, side("Your changes", base, mine), side("In the catalog", base, theirs)),
      h("div", { class: "tools" }, choose("Save mine over it", save), choose("Take that of the catalog", take),
        choose("Go on editing mine", edit)));
  }
  element.hidden = false;
  element.querySelector("h3").focus();
}

/** One side of a conflict: the lines, with those that changed. */
function side(title, before, after) {
  const lines = changes(before, after).map(([kind, line]) =>
    h({ same: "span", old: "del", new: "ins" }[kind], {}, line));
  return h("div", {}, h("h3", {}, title),
    h("pre", { class: "lines", tabindex: 0, "aria-label": title }, lines));
}

/** The lines of two texts: `[kind, line]`, where a kind is "same", "old" or "new". */
function changes(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let [start, tail] = [0, 0];
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  while (tail < old.length - start && tail < now.length - start
    && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const same = (line) => ["same", line];
  const middle = changedLines(
    old.slice(start, old.length - tail), now.slice(start, now.length - tail));
  return [
    ...now.slice(0, start).map(same), ...middle, ...now.slice(now.length - tail).map(same),
  ];
}

function changedLines(old, now) {
  const all = [...old.map((line) => ["old", line]), ...now.map((line) => ["new", line])];
  if (old.length * now.length > 1_000_000) return all;
  const common = old.map(() => new Uint16Array(now.length + 1));
  common.push(new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i][j] = old[i] === now[j]
        ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const result = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      result.push(["same", now[j]]);
      i += 1;
      j += 1;
    } else if (j === now.length || (i < old.length && common[i + 1][j] >= common[i][j + 1])) {
      result.push(["old", old[i++]]);
    } else {
      result.push(["new", now[j++]]);
    }
  }
  return result;
}
