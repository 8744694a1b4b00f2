// What a page can do beyond HTML. Every page works without it; the hooks are explained at the top of templates/layout.html.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  // A message for a moment, also for those who listen.
  let toast;
  const say = (text) => {
    if (!toast) {
      toast = document.createElement("div");
      toast.className = "toast";
      toast.setAttribute("role", "status");
      toast.hidden = true;
      document.body.append(toast);
    }
    toast.hidden = false;
    toast.textContent = text;
    clearTimeout(say.ends);
    say.ends = setTimeout(() => { toast.hidden = true; }, 3500);
  };

  const copy = async (button) => {
    const from = document.querySelector(button.dataset.copy);
    if (!from) return;
    const text = "value" in from ? from.value : from.textContent;
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch {
      // Without permission, or without TLS: mark it, so that the keyboard can copy it.
      if (from.select) from.select(); else getSelection().selectAllChildren(from);
      say("Marked: press Ctrl+C to copy");
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-submit-once]") || event.defaultPrevented) return;
    // After the form was read, so that the button's own value is sent too.
    setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
  });
  // A page that comes back from the browser's memory must be usable again.
  addEventListener("pageshow", (event) => {
    if (event.persisted) document.querySelectorAll("[data-submit-once] button").forEach((button) => { button.disabled = false; });
  });

  document.addEventListener("change", (event) => {
    const control = event.target.closest("[data-submit-on-change]");
    if (control && control.form) control.form.requestSubmit();
  });

  document.querySelectorAll("[data-toast]").forEach((element) => say(element.dataset.toast));

  // What was said once is not said again when the page is loaded again.
  const here = new URL(location.href);
  if (here.searchParams.has("said")) {
    here.searchParams.delete("said");
    history.replaceState(null, "", here);
  }
})();
