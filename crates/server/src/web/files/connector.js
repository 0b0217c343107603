// The account page's part about assistants: addresses and snippets with the key filled in, each with a copy button.
"use strict";

const HIDDEN = "cv_live_\u2022\u2022\u2022\u2022";
const snippets = [...document.querySelectorAll("#connector pre")].map((place) => ({ place, text: place.textContent }));

function filled(text, key) {
  return text.replaceAll("{origin}", location.origin).replaceAll("{key}", key);
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not copied: show the key, and select the text";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
}

function addButton({ place, text }) {
  const button = document.createElement("button");
  button.className = "quiet";
  button.textContent = "Copy";
  button.addEventListener("click", () => copy(filled(text, sessionStorage.getItem("canvass-key") || HIDDEN), button));
  place.after(button);
}

function show() {
  const key = document.getElementById("show-key").checked && sessionStorage.getItem("canvass-key");
  for (const { place, text } of snippets) place.textContent = filled(text, key || HIDDEN);
}

snippets.forEach(addButton);
document.getElementById("show-key").addEventListener("change", show);
document.addEventListener("signed-in", () => {
  show();
  document.getElementById("connector").hidden = false;
});
