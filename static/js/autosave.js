// form[data-autosave]: saves a draft while it is being written, or keeps it here if it cannot.
//
// The form is posted to its own action with the header X-Autosave. The server answers
//   200 {"saved_at": "14:32", "seen": 7}   saved; `seen` goes into the field of that name
//   409 {"compare": "/address/"}           a co-editor saved in between
//   422 {"message": "What is wrong"}       not saved until somebody fixes it
//   401, 403, or a redirect                signed out
// Anything else, or no answer, is retried. [data-autosave-status] shows the result.
// What is in [data-saved-apart] is not part of the draft: it has its own button for saving.

import { forget, keep, kept, unsavedPages } from "./local_drafts.js";
import { words } from "./words.js";

const AFTER_TYPING = 1500;
const FIRST_RETRY = 3000;
const LAST_RETRY = 60000;

const ICONS = {
  saving: "bi-cloud-arrow-up",
  saved: "bi-cloud-check is-ok",
  unsaved: "bi-cloud-slash is-warn",
  conflict: "bi-exclamation-octagon-fill is-bad",
  signedOut: "bi-box-arrow-in-right is-bad",
};

const forms = [];

export function keepFormsSaved() {
  for (const form of document.querySelectorAll("form[data-autosave]")) forms.push(new Autosave(form));
  forms.forEach((form) => form.begin());
}

// [data-unsaved-below] says which pages below that address have text in this browser alone.
export async function sayWhatIsUnsaved() {
  const note = document.querySelector("[data-unsaved-below]");
  if (!note) return;
  const pages = await unsavedPages(note.dataset.unsavedBelow);
  if (!pages.length) return;
  const links = pages.flatMap(({ page, title }) => [" ", anchor(page, title)]);
  note.append(...links);
  note.hidden = false;
}

// Resolves once what was typed has been sent, whether or not the server accepted it.
export function saveForms() {
  return Promise.all(forms.filter((form) => form.changed || form.saving).map((form) => form.save()));
}

class Autosave {
  constructor(form) {
    this.form = form;
    this.status = document.querySelector("[data-autosave-status]");
    this.changed = false;
    this.savedAt = "";
    this.retryIn = FIRST_RETRY;
  }

  begin() {
    this.offerWhatWasKept();
    this.form.addEventListener("input", (event) => {
      if (!event.target.closest("[data-saved-apart]")) this.typed();
    });
    this.form.addEventListener("submit", (event) => this.waitForSaving(event));
    window.addEventListener("online", () => this.changed && this.save());
    window.addEventListener("pagehide", () => this.leave());
    window.addEventListener("pageshow", (event) => event.persisted && (this.stopped = false));
  }

  typed() {
    this.changed = true;
    this.plan(AFTER_TYPING);
  }

  // What was just typed is kept here, and sent while the browser goes on to the next page.
  leave() {
    if (!this.changed) return;
    keep(this.form);
    if (!this.saving) this.save({ keepalive: true });
  }

  plan(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), delay);
  }

  // One post at a time: two at once would disagree about the revision they saw.
  save(options) {
    clearTimeout(this.timer);
    if (this.saving || this.stopped) return this.saving;
    this.changed = false;
    keep(this.form);
    this.say("saving", words("saving"));
    this.saving = this.post(options).finally(() => {
      this.saving = null;
      if (this.changed && !this.stopped) this.plan(AFTER_TYPING);
    });
    return this.saving;
  }

  async post(options) {
    try {
      const answer = await fetch(this.form.getAttribute("action") || location.href, {
        method: "POST",
        body: new FormData(this.form),
        headers: { "X-Autosave": "1", Accept: "application/json" },
        redirect: "manual",
        ...options,
      });
      await this.read(answer);
    } catch {
      this.tryAgain();
    }
  }

  async read(answer) {
    if (answer.ok) return this.saved(await answer.json());
    if (answer.status === 409) return this.conflict(await answer.json());
    if (answer.status === 422) return this.refused(await answer.json());
    if (answer.type === "opaqueredirect" || [401, 403].includes(answer.status)) return this.signedOut();
    return this.tryAgain();
  }

  saved(answer) {
    const seen = this.form.elements.namedItem("seen");
    if (seen && answer.seen !== undefined) seen.value = answer.seen;
    this.savedAt = answer.saved_at;
    this.retryIn = FIRST_RETRY;
    if (!this.changed) forget(this.form);
    this.say("saved", words("saved", { time: answer.saved_at }));
  }

  conflict(answer) {
    this.stopped = true;
    this.say("conflict", words("conflict"), { href: answer.compare, word: words("compare") });
  }

  refused(answer) {
    this.say("unsaved", words("refused", { message: answer.message }));
  }

  signedOut() {
    this.stopped = true;
    this.changed = true;
    const here = encodeURIComponent(location.pathname);
    this.say("signedOut", words("signed_out"), {
      href: `${this.form.dataset.autosaveSignIn ?? "/accounts/sign-in/"}?next=${here}`,
      word: words("sign_in"),
    });
  }

  tryAgain() {
    this.changed = true;
    const name = this.savedAt ? "unsaved_since" : "unsaved";
    this.say("unsaved", words(name, { time: this.savedAt }));
    this.plan(this.retryIn);
    this.retryIn = Math.min(this.retryIn * 2, LAST_RETRY);
  }

  // Submitting waits for a save in progress, so that `seen` is the revision it creates.
  waitForSaving(event) {
    clearTimeout(this.timer);
    if (!this.saving) {
      this.stopped = true;
      return;
    }
    event.preventDefault();
    this.saving.then(() => {
      this.saving = null;
      this.form.requestSubmit(event.submitter);
    });
  }

  say(state, message, link) {
    if (!this.status) return;
    const icon = document.createElement("i");
    icon.className = `bi ${ICONS[state]}`;
    icon.setAttribute("aria-hidden", "true");
    this.status.replaceChildren(icon, ` ${message}`);
    if (link?.href) this.status.append(" ", anchor(link.href, link.word));
  }

  offerWhatWasKept() {
    const text = kept(this.form);
    if (!text) return;
    const offer = document.createElement("div");
    offer.className = "note warn offer";
    offer.setAttribute("role", "status");
    const message = document.createElement("p");
    message.textContent = words("kept", { time: text.at });
    const buttons = document.createElement("p");
    buttons.className = "cluster";
    buttons.append(
      button(words("restore"), () => {
        text.restore();
        offer.remove();
        this.typed();
      }),
      button(words("discard"), () => {
        forget(this.form);
        offer.remove();
      }),
    );
    offer.append(message, buttons);
    this.form.prepend(offer);
  }
}

function anchor(address, word) {
  const made = document.createElement("a");
  made.href = address;
  made.textContent = word;
  return made;
}

function button(word, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "btn btn-sm btn-outline-secondary";
  made.textContent = word;
  made.addEventListener("click", act);
  return made;
}
