// Making and editing skills, live. Every page works without it: forms are sent, and answered with pages.
"use strict";
(() => {
  // A form whose run is told as it happens: to the eye by the steps, to the ear by one line.
  const panel = document.getElementById("progress");
  const told = document.getElementById("told");
  const words = { done: ": done", now: ": now", failed: ": failed" };
  const mark = (step, state) => {
    step.className = state;
    if (state === "now") step.setAttribute("aria-current", "step"); else step.removeAttribute("aria-current");
    let word = step.querySelector(".visually-hidden");
    if (!word) {
      word = document.createElement("span");
      word.className = "visually-hidden";
      step.firstElementChild.append(word);
    }
    word.textContent = words[state] || "";
  };
  const show = (stage) => {
    const steps = [...panel.querySelectorAll("[data-step]")].filter((step) => !step.hidden);
    let before = true;
    steps.forEach((step, at) => {
      const now = step.dataset.step === stage;
      if (now) before = false;
      mark(step, now ? "now" : before ? "done" : "");
      if (now) told.textContent = `Step ${at + 1} of ${steps.length}: ${step.firstElementChild.firstChild.data}`;
    });
  };
  const part = (name, is) => { panel.querySelector(`[data-${name}]`).hidden = !is; };
  const fail = (form, { message, code }, refunded, several) => {
    const box = panel.querySelector("[data-failed]");
    const ended = several ? box.dataset.endedSeveral : box.dataset.ended;
    box.querySelector("strong").textContent = refunded ? ended : "Not yet";
    // As the server writes it on pages: the first word large, unless it is a name of somebody's.
    box.querySelector("p").textContent = message.replace(/^[a-z]+(?=,? )/, (word) => word[0].toUpperCase() + word.slice(1));
    box.querySelector("[data-short]").hidden = code !== "INSUFFICIENT_CREDITS";
    box.hidden = false;
    part("sending", false);
    part("waiting", false);
    told.textContent = "";
    const now = panel.querySelector(".now");
    if (now) mark(now, refunded ? "failed" : "");
    panel.querySelector(".steps").hidden = !refunded;
    box.focus();
    box.scrollIntoView({ block: "nearest" });
    form.dispatchEvent(new Event("idle", { bubbles: true }));
  };
  // The stream broke, the run did not: nothing is offered that would be charged a second time.
  const lost = (place) => {
    part("waiting", false);
    const box = panel.querySelector("[data-lost]");
    box.querySelector("a").href = place;
    box.hidden = false;
    box.scrollIntoView({ block: "nearest" });
    const look = async () => {
      const answer = await fetch(place, { method: "HEAD" }).catch(() => null);
      if (answer && answer.status < 500) location.assign(place); else setTimeout(look, 3000);
    };
    look();
  };
  const run = (form, submitter) => {
    const body = new FormData(form, submitter);
    const several = body.getAll("topics").length > 1;
    const hasFiles = body.getAll("files").some((file) => file.size > 0);
    panel.hidden = false;
    panel.querySelector(".steps").hidden = false;
    part("failed", false);
    part("lost", false);
    part("waiting", false);
    part("sending", hasFiles);
    panel.querySelector("[data-step=sending]").hidden = !hasFiles;
    panel.querySelector("[data-sent]").textContent = "";
    show(hasFiles ? "sending" : "extracting");
    panel.scrollIntoView({ block: "nearest" });
    // Not `fetch`, which does not tell how much of a file is sent.
    const request = new XMLHttpRequest();
    let place = "";
    let heard = 0;
    let isOver = false;
    const over = (then) => { if (!isOver) { isOver = true; then(); } };
    const hear = (name, { stage, error, skill_id }) => {
      if (name === "progress") show(stage);
      if (name === "error") over(() => fail(form, error, true, several));
      if (name === "complete") over(() => {
        show("");
        const next = form.dataset.next;
        location.assign(next === "/library" ? (several ? place : `/library/${skill_id}?said=made`) : next);
      });
    };
    const listen = () => {
      if (!place || isOver) return;
      const frames = request.responseText.slice(heard).split("\n\n");
      frames.pop();
      for (const frame of frames) {
        heard += frame.length + 2;
        const name = /^event: (.*)$/m.exec(frame);
        const data = /^data: (.*)$/m.exec(frame);
        if (name && data) hear(name[1], JSON.parse(data[1]));
      }
    };
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      panel.querySelector("[data-sent]").textContent = `(${Math.floor(100 * loaded / total)} %)`;
    });
    request.addEventListener("readystatechange", () => {
      if (request.readyState !== XMLHttpRequest.HEADERS_RECEIVED) return;
      // Signed out meanwhile: the door leads back here, and what was typed is put back. Or the browser sent it twice: on to its run.
      if (request.responseURL !== form.action) return over(() => location.assign(request.responseURL));
      if (request.status !== 200) return;
      place = request.getResponseHeader("Content-Location") || "/library";
      part("sending", false);
      part("waiting", true);
      if (hasFiles) show("extracting");
    });
    request.addEventListener("progress", listen);
    request.addEventListener("load", () => {
      listen();
      if (place) return over(() => lost(place));
      let said = null;
      try { said = JSON.parse(request.responseText); } catch { /* It is a page. */ }
      over(() => fail(form, said && said.error ? said.error : { message: "Please load this page again." }, false));
    });
    request.addEventListener("error", () => over(() => {
      if (place) lost(place);
      else fail(form, { message: "The service cannot be reached. Press again in a moment: what has arrived already is neither made nor charged twice." }, false);
    }));
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "text/event-stream");
    request.send(body);
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!panel || !form.matches("[data-stream]") || (event.submitter && event.submitter.hasAttribute("data-plain"))) return;
    event.preventDefault();
    run(form, event.submitter);
  });

  // What the chosen topics cost, before they are paid.
  const sum = document.querySelector("[data-several]");
  if (sum) {
    const topics = [...document.querySelectorAll("input[name=topics]")];
    const short = document.querySelector("[data-purse]");
    const count = () => {
      const chosen = topics.filter((topic) => topic.checked).length;
      sum.textContent = chosen > 1 ? sum.dataset.several.replaceAll("{n}", chosen) : sum.dataset.one;
      if (short) short.hidden = Math.max(chosen, 1) <= Number(short.dataset.purse);
    };
    document.addEventListener("click", (event) => {
      const tick = event.target.closest("[data-tick]");
      if (!tick) return;
      topics.forEach((topic) => { topic.checked = tick.dataset.tick === "all"; });
      count();
    });
    topics.forEach((topic) => topic.addEventListener("change", count));
    count();
  }

  // Files that are dropped, and which were chosen.
  const files = document.getElementById("files");
  if (files) {
    const drop = files.closest(".drop");
    const chosen = drop.querySelector("[data-chosen]");
    const out = drop.parentElement.querySelector("[data-take-out]");
    const wrong = drop.querySelector("[data-too-much]");
    const { filesMax, fileBytesMax, requestBytesMax } = files.dataset;
    const megabytes = (bytes) => `${Math.floor(bytes / 1048576)} MB`;
    // What would be refused is not sent first.
    const tooMuch = (all) => {
      if (all.length > filesMax) return `These are ${all.length} files, and at most ${filesMax} can be given.`;
      const large = all.find((file) => file.size > fileBytesMax);
      if (large) return `${large.name} is larger than ${megabytes(fileBytesMax)}.`;
      const sum = all.reduce((sum, file) => sum + file.size, 0);
      return sum > requestBytesMax ? `Together they are larger than ${megabytes(requestBytesMax)}.` : "";
    };
    const list = () => {
      const all = [...files.files];
      chosen.textContent = all.map((file) => file.name).join(", ");
      out.hidden = !all.length;
      wrong.textContent = tooMuch(all);
      files.setCustomValidity(wrong.textContent);
    };
    out.addEventListener("click", () => { files.value = ""; list(); files.focus(); });
    files.addEventListener("change", list);
    for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
    for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) { files.files = event.dataTransfer.files; list(); }
    });
  }

  // What the checks say while somebody writes.
  const editor = document.querySelector("[data-check]");
  if (editor) {
    // Whoever leaves is asked first, while there is something that was not saved.
    let isSent = false;
    addEventListener("submit", (event) => { if (event.target === editor.form) isSent = !event.defaultPrevented; });
    addEventListener("pageshow", () => { isSent = false; });
    addEventListener("beforeunload", (event) => {
      const isUnsaved = "unsaved" in editor.dataset || editor.value !== editor.defaultValue;
      if (isUnsaved && !isSent) event.preventDefault();
    });
    const found = document.getElementById("found");
    const item = (finding) => {
      const li = document.createElement("li");
      li.className = "cluster top-aligned";
      const badge = document.createElement("span");
      badge.className = `badge ${finding.tone}`;
      badge.textContent = finding.severity;
      const text = document.createElement("span");
      text.className = "grow";
      finding.message.split("`").forEach((piece, at) => {
        const code = at % 2 ? document.createElement("code") : document.createTextNode("");
        code.textContent = piece;
        text.append(code);
      });
      text.append(" ");
      const id = document.createElement("span");
      id.className = "muted mono";
      id.textContent = finding.id;
      text.append(id);
      li.append(badge, text);
      if (finding.line) {
        const line = document.createElement("button");
        line.type = "button";
        line.className = "button quiet small nowrap";
        line.dataset.line = finding.line;
        line.textContent = `line ${finding.line}`;
        li.append(line);
      }
      return li;
    };
    const unchecked = document.getElementById("unchecked");
    const verdict = document.getElementById("verdict");
    let timer;
    let asked = 0;
    const check = async () => {
      const mine = ++asked;
      const body = new URLSearchParams({ content: editor.value });
      const response = await fetch(editor.dataset.check, { method: "POST", body }).catch(() => null);
      if (mine !== asked) return;
      const said = response && response.ok && !response.redirected ? await response.json().catch(() => null) : null;
      unchecked.hidden = Boolean(said);
      if (!said) {
        // What is listed was found in another text.
        found.replaceChildren();
        unchecked.textContent = response && response.redirected
          ? "You were signed out meanwhile. Save: you are asked to sign in, and your text is put back."
          : "What you wrote is not checked: the service does not answer. It is tried again when you go on writing.";
        return;
      }
      const fine = document.createElement("li");
      fine.textContent = "Every check passed.";
      found.replaceChildren(...(said.findings.length ? said.findings.map(item) : [fine]));
    };
    // The badges at the top are about what is saved, and no more about what is written here.
    editor.addEventListener("input", () => { verdict.hidden = true; clearTimeout(timer); timer = setTimeout(check, 1500); });
    found.addEventListener("click", (event) => {
      const to = event.target.closest("[data-line]");
      if (!to) return;
      const lines = editor.value.split("\n");
      const start = lines.slice(0, to.dataset.line - 1).join("\n").length + (to.dataset.line > 1 ? 1 : 0);
      editor.focus();
      editor.setSelectionRange(start, start + (lines[to.dataset.line - 1] || "").length);
      editor.scrollTop = (to.dataset.line - 3) * parseFloat(getComputedStyle(editor).lineHeight);
    });
  }
})();
