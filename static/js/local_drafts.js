// The text of a form, kept in this browser until the server has it.

const KEPT_FOR = 14 * 24 * 3600 * 1000;

// The storage key: the one in data-autosave, else the page's address.
const PREFIX = "draft ";
const placeOf = (form) => `${PREFIX}${form.dataset.autosave || location.pathname}`;

function fieldsOf(form) {
  return [...form.elements].filter(
    (each) => each.name && each.matches("textarea, select, input:not([type=hidden], [type=password], [type=file])"),
  );
}

function textOf(form) {
  const checkable = (field) => field.type === "radio" || field.type === "checkbox";
  return fieldsOf(form).map((field) => [
    field.name,
    field.value,
    checkable(field) ? field.checked : null,
  ]);
}

let signedOut = false;

export function keep(form) {
  if (signedOut) return;
  try {
    localStorage.setItem(placeOf(form), JSON.stringify({ when: Date.now(), text: textOf(form) }));
  } catch {
    // Storage is full or disabled: the server's copy is then the only one.
  }
}

export function forget(form) {
  try {
    localStorage.removeItem(placeOf(form));
  } catch {
    // Storage is disabled: nothing was kept.
  }
}

// The pages below `folder`, by address, whose text is here and not on the server, with their titles.
export async function unsavedPages(folder) {
  const found = [];
  for (const place of places()) {
    const page = place.slice(PREFIX.length);
    if (!page.startsWith(folder)) continue;
    const answer = await fetch(page);
    const shown = new DOMParser().parseFromString(await answer.text(), "text/html");
    const form = shown.querySelector("form[data-autosave]");
    if (!form) continue;
    form.dataset.autosave = page;
    if (kept(form)) found.push({ page, title: shown.querySelector("h1").textContent });
  }
  return found;
}

const places = () => Object.keys(localStorage).filter((place) => place.startsWith(PREFIX));

// Whether any text is only here.
export function hasDrafts() {
  try {
    return places().length > 0;
  } catch {
    return false;
  }
}

// For signing out: deletes everything here, and stops this page from keeping more.
export function forgetAll() {
  signedOut = true;
  try {
    places().forEach((place) => localStorage.removeItem(place));
  } catch {
    // Storage is disabled: nothing was kept.
  }
}

function stored(form) {
  try {
    return JSON.parse(localStorage.getItem(placeOf(form)));
  } catch {
    return null;
  }
}

// What was kept and differs from the page, with the time and a function to restore it; else null.
export function kept(form) {
  const found = stored(form);
  if (!Array.isArray(found?.text)) return null;
  const old = Date.now() - found.when > KEPT_FOR;
  if (old || JSON.stringify(found.text) === JSON.stringify(textOf(form))) {
    forget(form);
    return null;
  }
  const at = new Date(found.when);
  return {
    at: at.toLocaleString("en-GB", { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" }),
    restore: () => restore(form, found.text),
  };
}

function restore(form, text) {
  const fields = fieldsOf(form);
  for (const [name, value, checked] of text) {
    const at = fields.findIndex((each) => each.name === name && (checked === null || each.value === value));
    if (at < 0) continue;
    // Removed from the list, so that the next field with this name gets its own text.
    const [field] = fields.splice(at, 1);
    if (checked === null) field.value = value;
    else field.checked = checked;
  }
}
