// Keeps the operators' page true: what has changed arrives each second and is put in place, so that nothing that somebody reads,
// focuses or has opened is lost. Without script the page is a snapshot.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const state = document.querySelector("[data-live]");
  const words = document.querySelector("[data-live-text]");
  const pause = document.querySelector("[data-pause]");
  let source = null;
  let isPaused = false;

  const say = (how, text) => {
    state.dataset.live = how;
    if (words.textContent !== text) words.textContent = text;
  };

  // Makes `old` like `fresh`, changing only what differs. Elements with an id keep their identity when others come and go.
  const sameKind = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && (a.id || "") === (b.id || "");
  const morph = (old, fresh) => {
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
      return;
    }
    for (const { name, value } of [...fresh.attributes]) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    for (const { name } of [...old.attributes]) {
      // What the reader has opened stays open.
      if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    }
    children(old, fresh);
  };
  const children = (old, fresh) => {
    let at = old.firstChild;
    for (const wanted of [...fresh.childNodes]) {
      let match = at;
      if (wanted.id) {
        match = [...old.children].find((child) => child.id === wanted.id) || null;
        if (match && match !== at) old.insertBefore(match, at);
      }
      if (match && sameKind(match, wanted)) {
        morph(match, wanted);
        at = match.nextSibling;
      } else {
        old.insertBefore(document.importNode(wanted, true), at);
      }
    }
    while (at) {
      const next = at.nextSibling;
      at.remove();
      at = next;
    }
  };

  const show = (sections) => {
    for (const [name, html] of Object.entries(sections)) {
      const section = document.getElementById(name);
      if (!section) continue;
      const fresh = document.createElement("template");
      fresh.innerHTML = html;
      children(section, fresh.content);
    }
  };

  const listen = () => {
    if (source || isPaused || document.hidden) return;
    source = new EventSource(document.body.dataset.stream);
    source.addEventListener("look", (event) => {
      say("on", "Live");
      show(JSON.parse(event.data));
    });
    source.addEventListener("error", () => say("lost", "Reconnecting …"));
  };
  const leave = () => {
    if (source) source.close();
    source = null;
  };

  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
    pause.textContent = isPaused ? "Go on" : "Pause";
    if (isPaused) {
      leave();
      say("off", "Paused");
    } else {
      listen();
    }
  });
  // Only while somebody looks.
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : listen()));
  addEventListener("pagehide", leave);
  addEventListener("pageshow", listen);

  let toast;
  const tell = (text) => {
    if (!toast) {
      toast = document.createElement("div");
      toast.className = "toast";
      toast.setAttribute("role", "status");
      document.body.append(toast);
    }
    toast.hidden = false;
    toast.textContent = text;
    clearTimeout(tell.ends);
    tell.ends = setTimeout(() => { toast.hidden = true; }, 4000);
  };

  // What is done to a run is done without leaving the page.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.dataset.deed) return;
    event.preventDefault();
    form.querySelectorAll("button").forEach((button) => { button.disabled = true; });
    document.getElementById("running").focus({ preventScroll: true });
    try {
      const answer = await fetch(form.action, { method: "POST", redirect: "manual" });
      const isDone = answer.type === "opaqueredirect" || answer.ok;
      tell(isDone ? form.dataset.deed : "That run has ended already, or cannot be changed now");
    } catch {
      tell("The service does not answer");
    }
    form.querySelectorAll("button").forEach((button) => { button.disabled = false; });
  });

  // What a plot says under the pointer.
  document.addEventListener("pointermove", (event) => {
    const figure = event.target.closest && event.target.closest(".plot");
    document.querySelectorAll(".plot [data-readout]").forEach((readout) => {
      if (!figure || !figure.contains(readout)) readout.textContent = "";
    });
    if (!figure) return;
    const ground = figure.querySelector("svg").getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - ground.left) / ground.width));
    const lines = [...figure.querySelectorAll(".plot-line")].reverse().map((line) => ({
      name: line.dataset.name,
      points: line.dataset.values.split(";").filter(Boolean).map((point) => {
        const cut = point.indexOf(":");
        return [Number(point.slice(0, cut)), point.slice(cut + 1)];
      }),
    }));
    const last = Math.max(...[...document.querySelectorAll(".plot-line")].map((line) => {
      const points = line.dataset.values.split(";");
      return points.length > 1 ? parseInt(points[points.length - 2], 10) : 0;
    }));
    const span = Number(figure.querySelector(".ground").dataset.span);
    const at = last - (1 - share) * span;
    const found = lines.flatMap(({ name, points }) => {
      const near = points.reduce((best, point) => (!best || Math.abs(point[0] - at) < Math.abs(best[0] - at) ? point : best), null);
      return near && Math.abs(near[0] - at) < span / 40 ? [{ name, near }] : [];
    });
    const readout = figure.querySelector("[data-readout]");
    if (!found.length) { readout.textContent = ""; return; }
    const time = new Date(found[0].near[0] * 1000).toISOString().slice(11, 19);
    readout.textContent = `${time}: ` + found.map(({ name, near }) => (lines.length > 1 ? `${name} ${near[1]}` : near[1])).join(" · ");
  });

  listen();
})();
