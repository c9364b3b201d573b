"""The messages of a page's scripts, which read them from the page: `static/js/words.js`."""

from __future__ import annotations

import json
from typing import Final

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.translation import gettext_lazy as _

SCRIPT_WORDS: Final = {
    # autosave.js
    "saving": _("Saving"),
    "saved": _("Saved %(time)s"),
    "unsaved": _("Not saved. Trying again"),
    "unsaved_since": _("Not saved since %(time)s. Trying again"),
    "refused": _("Not saved. %(message)s"),
    "conflict": _("Changed by a co-editor."),
    "compare": _("Compare"),
    "signed_out": _("You were signed out. Your text stays here."),
    "sign_in": _("Sign in"),
    "kept": _("This browser has unsaved text from %(time)s."),
    "restore": _("Put it back"),
    "discard": _("Throw it away"),
    # copy.js
    "copied": _("Copied"),
    "not_copied": _("Could not copy"),
    # remarks.js
    "comment": _("Comment"),
    # review_marks.js
    "reviewed": _("%(count)s of %(all)s marked as reviewed"),
    # shortcuts.js
    "keys": _("Keys on this page"),
    "keys_off": _("Switch these keys off in this browser"),
    "close": _("Close"),
    "key_search": _("Search"),
    "key_next_section": _("Next section"),
    "key_section_before": _("Section before"),
    "key_remark": _("Remark on this section"),
    "key_decide": _("Decide"),
    "key_next_request": _("Next in the queue"),
    "key_previous_request": _("Previous in the queue"),
    "key_show": _("Show these keys"),
    # sign_out.js
    "drafts_lost": _("Some text could not be saved. Sign out and delete it?"),
    # suggestions.js
    "suggestions": _("Suggestions"),
}
"""By the names that the scripts use; they fill in placeholders such as `%(name)s`."""


def write_script_words() -> str:
    """Return the messages as JSON, for an attribute of the page."""
    return json.dumps(SCRIPT_WORDS, cls=DjangoJSONEncoder, ensure_ascii=False)
