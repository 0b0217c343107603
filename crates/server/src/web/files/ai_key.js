// The customer's own AI key: set, seen without itself, forgotten.
"use strict";

function showKeyState(known) {
  byId("ai-key-state").textContent = known.set ? `Set for ${known.model} at ${known.base_url}.` : "None is set.";
  byId("ai-key-forget").hidden = !known.set;
  byId("ai-key-value").value = "";
  if (known.set) [byId("ai-key-model").value, byId("ai-key-base").value] = [known.model, known.base_url];
}

async function changeKey(key, change) {
  showFault("", "ai-key-fault");
  try {
    showKeyState((await ask("/me/ai-key", key, change)).body);
  } catch (fault) {
    showFault(fault.message, "ai-key-fault");
  }
}

document.addEventListener("signed-in", (event) => {
  const { account, key } = event.detail;
  // A plan without API access has nothing to use it for.
  if (!account.entitlements.api_access) return;
  byId("ai-key").hidden = false;
  changeKey(key, {});
  byId("ai-key-form").onsubmit = (submit) => {
    submit.preventDefault();
    const base = byId("ai-key-base").value.trim();
    const send = { api_key: byId("ai-key-value").value.trim(), model: byId("ai-key-model").value.trim() };
    changeKey(key, { method: "PUT", send: base ? { ...send, base_url: base } : send });
  };
  byId("ai-key-forget").onclick = () => changeKey(key, { method: "DELETE" });
});
