// The scripts' texts in the language of the page: body[data-words] has them by name, as JSON.

const WORDS = JSON.parse(document.body.dataset.words ?? "{}");

// The text with that name; %(number)s in it is filled in.
export function words(name, values = {}) {
  return (WORDS[name] ?? "").replace(/%\((\w+)\)s/g, (_, key) => values[key] ?? "");
}
