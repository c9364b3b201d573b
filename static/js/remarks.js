// [data-remark-on]: opens the form for remarks below its section, with the words selected there.
//
// Without script these are links to a page with the same form. [data-text-of] names the field of
// the template whose text it contains; with data-text-whole it contains all of it, so that the
// right ones can be found if the words occur more than once.

import { words } from "./words.js";

let selected = null;
let opener = null;

export function offerRemarks() {
  const panel = document.querySelector("[data-remark-panel]");
  if (!panel) return;
  const control = document.createElement("button");
  control.type = "button";
  control.className = "btn btn-sm btn-primary remark-selected";
  control.textContent = words("comment");
  control.hidden = true;
  // Pressing it leaves the words selected.
  control.addEventListener("pointerdown", (event) => event.preventDefault());
  control.addEventListener("click", () => {
    control.hidden = true;
    selected.section.querySelector("[data-remark-on]").click();
  });
  document.body.append(control);
  document.addEventListener("selectionchange", () => {
    const now = read(getSelection());
    selected = now ?? selected;
    control.hidden = !now;
    if (now) placeBelow(control, getSelection().getRangeAt(0).getBoundingClientRect());
  });
  for (const link of document.querySelectorAll("[data-remark-on]")) {
    link.addEventListener("click", (event) => open(event, link, panel));
  }
  panel.querySelector("[data-remark-cancel]").addEventListener("click", (event) => {
    event.preventDefault();
    panel.hidden = true;
    opener?.focus();
  });
}

// The section in which words are selected now.
export const selectedSection = () => read(getSelection())?.section;

function placeBelow(control, { left, bottom }) {
  control.style.top = `${bottom + scrollY + 4}px`;
  control.style.left = `${Math.min(left, document.body.clientWidth - control.offsetWidth - 8) + scrollX}px`;
}

function read(selection) {
  if (!selection?.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const start = elementOf(range.startContainer).closest("[data-text-of]");
  if (!start || !start.contains(range.endContainer) || !selection.toString().trim()) return null;
  return {
    field: start.dataset.textOf,
    quote: selection.toString().trim(),
    occurrence: "textWhole" in start.dataset ? countBefore(start, range, selection) : 0,
    section: start.closest("section"),
  };
}

function elementOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
}

// How often the selected words occur in the text before the selection.
function countBefore(element, range, selection) {
  const before = document.createRange();
  before.setStart(element, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const joined = (text) => text.split(/\s+/).join(" ").trim();
  return joined(before.toString()).split(joined(selection.toString())).length - 1;
}

function open(event, link, panel) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  opener = link;
  const section = link.closest("section");
  const passage = selected?.section === section ? selected : null;
  const form = panel.querySelector("form");
  form.elements.section.value = passage?.field ?? link.dataset.remarkOn;
  form.elements.quote.value = passage?.quote ?? "";
  form.elements.occurrence.value = passage?.occurrence ?? "";
  section.append(panel);
  panel.hidden = false;
  form.elements.text.focus();
}
