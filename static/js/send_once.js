// A double click sends a form only once. Forms with data-send-again (downloads) are left alone.

const GIVES_UP_AFTER = 15000;

export function sendFormsOnce() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !isPosted(form) || "sendAgain" in form.dataset) return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "true";
    // After the event: otherwise the button's own name and value would not be sent.
    setTimeout(() => hold(form), 0);
    setTimeout(() => release(form), GIVES_UP_AFTER);
  });
  // The browser may restore a page as it was left.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) document.querySelectorAll("form[data-sent]").forEach(release);
  });
}

// Reads the attribute: a field called "method" would hide the property.
function isPosted(form) {
  return form.getAttribute("method")?.toLowerCase() === "post";
}

function buttonsOf(form) {
  return [...form.elements].filter((each) => each.matches("button:not([type=button]), [type=submit]"));
}

function hold(form) {
  for (const button of buttonsOf(form)) {
    if (button.disabled) continue;
    button.disabled = true;
    button.dataset.held = "true";
  }
}

function release(form) {
  delete form.dataset.sent;
  for (const button of buttonsOf(form)) {
    if (!button.dataset.held) continue;
    button.disabled = false;
    delete button.dataset.held;
  }
}
