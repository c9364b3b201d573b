// body[data-shortcuts]: j and k follow the links marked rel="next" and rel="prev".

const LINKS = { j: "a[rel~=next]", k: "a[rel~=prev]" };

export function listenForShortcuts() {
  if (!("shortcuts" in document.body.dataset)) return;
  document.addEventListener("keydown", (event) => {
    const selector = Object.hasOwn(LINKS, event.key) ? LINKS[event.key] : null;
    if (!selector || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
    document.querySelector(selector)?.click();
  });
}

function isField(element) {
  return element.isContentEditable || element.matches("input, textarea, select");
}
