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

  // What was typed is not lost to a session that ended, nor to a refusal: it is kept in this tab while its form is sent, and put back
  // once somebody is back at the form who had to sign in first, or was refused. Any other page that follows means that it has arrived.
  const DRAFT = "draft";
  const door = /^\/(signin|signin\/code|signup|join|forgot|recover|reset|verify)$/;
  const keepDraft = (draft) => { try { sessionStorage.setItem(DRAFT, JSON.stringify(draft)); } catch { /* It is too long, or nothing may be kept. */ } };
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-draft]");
    if (!form) return;
    const fields = [...form.elements].filter((field) => field.name && /^(text|textarea|hidden)$/.test(field.type));
    keepDraft({ at: form.dataset.draft, fields: fields.map((field) => [field.name, field.value]), isLost: false });
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-carry]");
    const from = link && document.querySelector(link.dataset.carry);
    if (from) keepDraft({ at: "/new", fields: [["source", from.value]], isLost: true });
  });
  const bringBack = () => {
    let draft;
    try { draft = JSON.parse(sessionStorage.getItem(DRAFT)); } catch { return; }
    if (!draft) return;
    // Whoever signed out leaves nothing to the next one, and what arrived after all is not put back.
    const said = new URLSearchParams(location.search).get("said");
    if (["signed-out", "saved", "made"].includes(said)) return sessionStorage.removeItem(DRAFT);
    if (door.test(location.pathname)) return keepDraft({ ...draft, isLost: true });
    const back = document.querySelector("[data-written]");
    if (back) {
      back.href = draft.at;
      back.hidden = false;
      back.parentElement.querySelector(".primary").classList.remove("primary");
      back.classList.add("primary");
      return keepDraft({ ...draft, isLost: true });
    }
    const form = [...document.querySelectorAll("[data-draft]")].find((form) => form.dataset.draft === draft.at);
    // On the way from the door to its form other pages may lie between.
    if (draft.isLost && !form) return;
    sessionStorage.removeItem(DRAFT);
    if (!draft.isLost) return;
    for (const [name, value] of draft.fields) {
      const field = form.elements.namedItem(name);
      if (!field || !("value" in field)) continue;
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    say("What you had written is back");
  };
  bringBack();

  // A form that was sent is not sent again. Its buttons are told to be off, not switched off, which would take the focus away.
  const busy = (form, is) => form.querySelectorAll("button").forEach((button) => {
    if (is) button.setAttribute("aria-disabled", "true"); else button.removeAttribute("aria-disabled");
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-submit-once], [data-stream]")) return;
    if (form.querySelector("[aria-disabled]")) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    busy(form, true);
  }, true);
  document.addEventListener("idle", (event) => busy(event.target, false));
  // A page that comes back from the browser's memory is shown to whoever is still signed in, and must be usable again.
  const main = document.getElementById("main");
  const ask = async () => {
    const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
    if (!answer || answer.status >= 500) {
      say("The service does not answer");
      return setTimeout(ask, 3000);
    }
    if (answer.redirected && door.test(new URL(answer.url).pathname)) return location.replace(answer.url);
    main.hidden = false;
  };
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    document.querySelectorAll("[data-submit-once], [data-stream]").forEach((form) => busy(form, false));
    if (!document.querySelector(".who")) return;
    main.hidden = true;
    ask();
  });

  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && event.target.closest(".confirm[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });

  // What went wrong is where the reader is, unless a field already asks for them.
  const wrong = document.querySelector("[role=alert]:not([hidden] *, [hidden])");
  if (wrong && !document.querySelector("[autofocus]")) {
    wrong.tabIndex = -1;
    wrong.focus();
  }

  document.addEventListener("change", (event) => {
    const control = event.target.closest("[data-submit-on-change]");
    if (control && control.form) control.form.requestSubmit();
  });

  // On a narrow screen the tabs are wider than the page: the one that is shown is in sight.
  document.querySelectorAll(".tabs [aria-current], .main-nav [aria-current]").forEach((tab) => {
    const row = tab.parentElement;
    row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  });

  document.querySelectorAll("[data-toast]").forEach((element) => say(element.dataset.toast));

  // What was said once is not said again when the page is loaded again.
  const here = new URL(location.href);
  if (here.searchParams.has("said")) {
    here.searchParams.delete("said");
    history.replaceState(null, "", here);
  }
})();
