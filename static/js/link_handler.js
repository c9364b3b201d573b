// Links that begin with web+urn: open here once the browser was asked to send them.

const SCHEME = "web+urn";

export function offerLinkHandler(root) {
  const button = root.querySelector("[data-link-handler]");
  if (!button || !navigator.registerProtocolHandler) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    // The browser asks its user, and replaces %s by the whole link, encoded once.
    const address = new URL(button.dataset.linkHandler, location.href).href + "?urn=%s";
    navigator.registerProtocolHandler(SCHEME, address);
  });
}
