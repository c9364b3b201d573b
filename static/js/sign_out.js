// form[data-signs-out]: signing out deletes the drafts kept in this browser. What can still be
// saved is saved first; before any other text is deleted, its author is asked.

import { saveForms } from "./autosave.js";
import { forgetAll, hasDrafts } from "./local_drafts.js";
import { words } from "./words.js";

// How many milliseconds signing out waits for the server to accept a draft.
const PATIENCE = 5000;

export function clearDraftsOnSignOut() {
  for (const form of document.querySelectorAll("form[data-signs-out]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      signOut(form);
    });
  }
}

async function signOut(form) {
  await Promise.race([saveForms(), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  if (hasDrafts() && !confirm(words("drafts_lost"))) return;
  forgetAll();
  form.submit();
}
