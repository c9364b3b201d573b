// Links that begin with web+urn: lead here once a browser was asked to hand them over.

const SCHEME = "web+urn";

export function offerLinkHandler(root) {
  const button = root.querySelector("[data-link-handler]");
  if (!button || !navigator.registerProtocolHandler) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    // The browser asks its user, and writes the whole link, encoded once, in the place of %s.
    const address = new URL(button.dataset.linkHandler, location.href).href + "?urn=%s";
    navigator.registerProtocolHandler(SCHEME, address);
  });
}
