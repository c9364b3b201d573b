// Single keys, outside fields. "?" lists those that do something on this page.
//
// Signed-in people switch them off in their account (body[data-no-shortcuts]), others in the list
// itself, which this browser remembers (WCAG 2.2, 2.1.4).

import { selectedSection } from "./remarks.js";
import { words } from "./words.js";

const OFF = "no shortcuts";

const KEYS = [
  ["/", "key_search", () => searchField() ?? document.body.dataset.search, search],
  ["n", "key_next_section", () => sections().length > 1, () => step(1)],
  ["p", "key_section_before", () => sections().length > 1, () => step(-1)],
  ["r", "key_remark", () => document.querySelector("[data-remark-on]"), remark],
  ["d", "key_decide", () => document.querySelector("#decide"), decide],
  ["j", "key_next_request", () => document.querySelector("a[rel~=next]"), (link) => link.click()],
  ["k", "key_previous_request", () => document.querySelector("a[rel~=prev]"), (link) => link.click()],
  ["?", "key_show", () => true, showKeys],
];

export function listenForShortcuts() {
  if ("noShortcuts" in document.body.dataset) return;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target) || isOff()) return;
    const known = KEYS.find(([key]) => key === event.key);
    const target = known?.[2]();
    if (!target || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    known[3](target);
  });
}

function isField(element) {
  return element.isContentEditable || element.matches("input:not([type=radio], [type=checkbox]), textarea, select");
}

function searchField() {
  return document.querySelector("form[role=search] input[name=q]");
}

function search(target) {
  if (typeof target === "string") location.assign(target);
  else target.focus();
}

function sections() {
  return [...document.querySelectorAll(".tsection[id]")];
}

// The section with the focus, else the one that the address points to, as after a remark, else the
// one at the top of the window.
function current() {
  const focused = document.activeElement?.closest(".tsection[id]");
  if (focused) return focused;
  const targeted = document.querySelector(":target")?.closest(".tsection[id]");
  if (targeted && isInWindow(targeted)) return targeted;
  return sections().filter((each) => each.getBoundingClientRect().top < innerHeight / 3).at(-1);
}

function isInWindow(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

function step(by) {
  const all = sections();
  const here = all.indexOf(current());
  const next = all[here < 0 ? 0 : Math.min(Math.max(here + by, 0), all.length - 1)];
  next.tabIndex = -1;
  next.focus();
}

function remark() {
  const section = selectedSection() ?? current() ?? sections()[0];
  (section?.querySelector("[data-remark-on]") ?? document.querySelector("[data-remark-on]")).click();
}

function decide(place) {
  const first = place.querySelector("input[type=radio]:not(:disabled), textarea:not([hidden]), button, a");
  (first ?? place).focus();
  place.scrollIntoView({ block: "start" });
}

function showKeys() {
  const dialog = document.createElement("dialog");
  dialog.className = "keys";
  dialog.setAttribute("aria-labelledby", "keys-title");
  const title = document.createElement("h2");
  title.id = "keys-title";
  title.textContent = words("keys");
  const list = document.createElement("dl");
  for (const [key, meant, find] of KEYS) {
    if (!find()) continue;
    const name = document.createElement("dt");
    const sign = document.createElement("kbd");
    sign.textContent = key;
    name.append(sign);
    const meaning = document.createElement("dd");
    meaning.textContent = words(meant);
    list.append(name, meaning);
  }
  const row = document.createElement("p");
  row.className = "cluster mb-0";
  row.append(
    button(words("close"), "btn-primary", () => dialog.close()),
    button(words("keys_off"), "btn-outline-secondary", () => {
      switchOff();
      dialog.close();
    }),
  );
  dialog.append(title, list, row);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function button(word, look, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = `btn btn-sm ${look}`;
  made.textContent = word;
  made.addEventListener("click", act);
  return made;
}

function isOff() {
  try {
    return localStorage.getItem(OFF) === "yes";
  } catch {
    return false;
  }
}

function switchOff() {
  try {
    localStorage.setItem(OFF, "yes");
  } catch {
    // Storage is disabled: the keys stay on.
  }
}
