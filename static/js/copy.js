// [data-copy="text"]: a button that copies the text to the clipboard. Hidden unless that works.

import { words } from "./words.js";

const SAYS_SO_FOR = 2000;

export function offerCopying(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("[data-copy][hidden]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
}

async function copy(button) {
  const word = button.querySelector("[data-copy-word]") ?? button;
  const usual = word.textContent;
  if (button.dataset.busy) return;
  button.dataset.busy = "true";
  word.setAttribute("role", "status");
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    word.textContent = words("copied");
  } catch {
    word.textContent = words("not_copied");
  }
  setTimeout(() => {
    word.textContent = usual;
    delete button.dataset.busy;
  }, SAYS_SO_FOR);
}
