// Everything here shortens a wait or saves a key; every page works without it.

import { keepFormsSaved } from "./autosave.js";
import { offerCopying } from "./copy.js";
import { sendFormsOnce } from "./guard.js";
import { offerRemarks } from "./remarks.js";
import { keepReviewed } from "./reviewed.js";
import { listenForShortcuts } from "./shortcuts.js";

offerCopying(document);
document.addEventListener("htmx:load", (event) => offerCopying(event.target));
keepFormsSaved();
sendFormsOnce();
listenForShortcuts();
offerRemarks();
keepReviewed();
