// Two changes of one document, side by side.
import { button, fill, h } from "./dom.js";
import { changes } from "./text.js";

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
