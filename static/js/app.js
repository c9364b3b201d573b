// Everything here saves waiting or typing; every page works without it.

import { keepFormsSaved, sayWhatIsUnsaved } from "./autosave.js";
import { offerCopying } from "./copy.js";
import { offerLinkHandler } from "./link_handler.js";
import { sendFormsOnce } from "./send_once.js";
import { offerRemarks } from "./remarks.js";
import { keepReviewed } from "./review_marks.js";
import { clearDraftsOnSignOut } from "./sign_out.js";
import { listenForShortcuts } from "./shortcuts.js";
import { offerSuggestions } from "./suggestions.js";

offerCopying(document);
document.addEventListener("htmx:load", (event) => offerCopying(event.target));
keepFormsSaved();
sayWhatIsUnsaved();
sendFormsOnce();
listenForShortcuts();
offerRemarks();
offerSuggestions(document);
offerLinkHandler(document);
keepReviewed();
clearDraftsOnSignOut();
