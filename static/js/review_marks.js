// [data-reviewed]: checkboxes for reviewed sections. They are one person's bookmarks for one
// round, kept only in this browser; [data-reviewed-of] names the round, and shows how many.

import { words } from "./words.js";

export function keepReviewed() {
  const tally = document.querySelector("[data-reviewed-of]");
  const boxes = [...document.querySelectorAll("[data-reviewed]")];
  if (!tally || !boxes.length) return;
  const place = `reviewed ${tally.dataset.reviewedOf}`;
  const reviewed = new Set(stored(place));
  const show = () => {
    tally.textContent = words("reviewed", { count: reviewed.size, all: tally.dataset.reviewedCount });
    tally.hidden = false;
  };
  for (const box of boxes) {
    box.checked = reviewed.has(box.dataset.reviewed);
    box.closest("label").hidden = false;
    box.addEventListener("change", () => {
      reviewed[box.checked ? "add" : "delete"](box.dataset.reviewed);
      keep(place, [...reviewed]);
      show();
    });
  }
  show();
}

function stored(place) {
  try {
    const found = JSON.parse(localStorage.getItem(place));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function keep(place, reviewed) {
  try {
    localStorage.setItem(place, JSON.stringify(reviewed));
  } catch {
    // Storage is full or disabled: the marks last as long as the page.
  }
}
