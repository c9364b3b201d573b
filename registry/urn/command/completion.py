"""Shell completion of the commands and their options."""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction
from typing import Final

SHELLS: Final = ("bash", "zsh", "fish")

_BASH: Final = """\
_urn() {{
    local command="${{COMP_WORDS[1]}}" word="${{COMP_WORDS[COMP_CWORD]}}" words=""
    if [ "$COMP_CWORD" -le 1 ]; then
        words="{commands}"
    else
        case "$command:${{COMP_WORDS[COMP_CWORD-1]}}" in
{choices}
            *) case "$command" in
{options}
            esac ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _urn urn
"""
_ZSH: Final = "autoload -U +X bashcompinit && bashcompinit\n"


def write_completion(shell: str, parser: ArgumentParser) -> str:
    """The script with which `shell` completes the arguments of `parser`."""
    found = list_words(parser)
    if shell == "fish":
        return "".join(_write_fish_lines(found))
    choices = "\n".join(
        f'            {name}:{option}) words="{" ".join(chosen)}" ;;'
        for name, (_, options) in found.items()
        for option, chosen in options.items()
        if chosen
    )
    options = "\n".join(
        f'                {name}) words="{" ".join(options)}" ;;'
        for name, (_, options) in found.items()
    )
    script = _BASH.format(commands=" ".join(found), choices=choices, options=options)
    return script if shell == "bash" else _ZSH + script


def list_words(parser: ArgumentParser) -> dict[str, tuple[str, dict[str, tuple[str, ...]]]]:
    """For each command its description, its options, and the values of each of them."""
    below = next(each for each in parser._actions if isinstance(each, _SubParsersAction))
    helps = {each.dest: each.help or "" for each in below._get_subactions()}
    return {
        name: (
            helps[name],
            {
                option: tuple(action.choices or ())
                for action in command._actions
                for option in action.option_strings or (["shell"] if action.choices else [])
            },
        )
        for name, command in below.choices.items()
    }


def _write_fish_lines(found: dict[str, tuple[str, dict[str, tuple[str, ...]]]]) -> list[str]:
    lines = []
    for name, (does, options) in found.items():
        lines.append(f"complete -c urn -n __fish_use_subcommand -a {name} -d '{does}'\n")
        for option, chosen in options.items():
            kind = "l" if option.startswith("--") else "s"
            word = option.lstrip("-")
            behind = f" -x -a '{' '.join(chosen)}'" if chosen else ""
            flag = f" -{kind} {word}" if option.startswith("-") else ""
            lines.append(f"complete -c urn -n '__fish_seen_subcommand_from {name}'{flag}{behind}\n")
    return lines
