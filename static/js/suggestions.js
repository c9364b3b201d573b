// Suggestions in a search box: a combobox with a list, by the ARIA pattern. Enter without a chosen
// option sends the form, which works without any of this.

import { words } from "./words.js";

const WAIT = 200;

export function offerSuggestions(root) {
  for (const input of root.querySelectorAll("input[data-suggestions]")) prepare(input);
}

function prepare(input) {
  const list = document.createElement("ul");
  list.id = `${input.id}-suggestions`;
  list.className = "suggestions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", words("suggestions"));
  input.after(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-controls", list.id);
  let timer = 0;
  let asked = 0;

  const options = () => [...list.querySelectorAll("[role=option]")];
  const chosen = () => list.querySelector("[aria-selected=true]");

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    choose(null);
  }

  function choose(option) {
    for (const each of options()) each.setAttribute("aria-selected", String(each === option));
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  }

  async function ask() {
    const mine = ++asked;
    if (!input.value.trim()) return close();
    const query = new URLSearchParams({ q: input.value });
    let answer = null;
    try {
      answer = await fetch(`${input.dataset.suggestions}?${query}`);
    } catch {
      return close();
    }
    if (!answer.ok || mine !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== asked || document.activeElement !== input) return;
    const found = [...page.querySelectorAll("[role=option]")];
    for (const each of found) each.id = `${list.id}-${each.id}`;
    list.replaceChildren(...found);
    if (!found.length) return close();
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    choose(null);
  }

  function move(step) {
    const every = options();
    const place = every.indexOf(chosen());
    const next = place < 0 && step < 0 ? every.length - 1 : place + step;
    choose(every[next] ?? null);
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT);
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) ask();
      else move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && !list.hidden && chosen()) {
      event.preventDefault();
      location.assign(chosen().dataset.href);
    }
  });
  input.addEventListener("blur", close);
  input.form?.addEventListener("submit", () => {
    clearTimeout(timer);
    asked += 1;
    close();
  });
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) location.assign(option.dataset.href);
  });
}
