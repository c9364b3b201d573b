// What scripts say, in the language of the page: body[data-words] holds it by name, as JSON.

const WORDS = JSON.parse(document.body.dataset.words ?? "{}");

// The words of that name; what stands in them as %(number)s is filled in.
export function words(name, values = {}) {
  return (WORDS[name] ?? "").replace(/%\((\w+)\)s/g, (_, key) => values[key] ?? "");
}
