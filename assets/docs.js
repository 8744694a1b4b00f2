// Tries an operation of the API from its form on /docs, with a key that was pasted. The key is in its field and nowhere else.
"use strict";
(() => {
  const key = document.getElementById("key");

  // An operation that an address leads to is open.
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.matches("details.operation")) {
      target.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", open);
  open();

  const requestOf = (form) => {
    let path = form.dataset.path;
    const query = new URLSearchParams();
    const headers = new Headers();
    const parts = form.dataset.media === "multipart/form-data" ? new FormData() : null;
    let body = parts;
    if (key.value.trim()) headers.set("Authorization", `Bearer ${key.value.trim()}`);
    for (const field of form.querySelectorAll("[data-place]")) {
      const { name, value } = field;
      if (field.type === "file") for (const file of field.files) parts.append(name, file);
      else if (value === "") continue;
      else if (field.dataset.place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
      else if (field.dataset.place === "query") query.set(name, value);
      else if (field.dataset.place === "header") headers.set(name, value);
      else if (field.dataset.place === "form") parts.append(name, value);
      else {
        headers.set("Content-Type", form.dataset.media);
        body = value;
      }
    }
    const asked = query.size ? `${path}?${query}` : path;
    return [asked, { method: form.dataset.method, headers, body, credentials: "omit", cache: "no-store" }];
  };

  // What is text is shown as it comes, so that events are seen one by one; anything else is offered as a file.
  const show = async (answer, into) => {
    const type = answer.headers.get("Content-Type") ?? "";
    if (!answer.body) return;
    if (type.startsWith("application/zip")) {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await answer.blob());
      link.download = "skill.zip";
      link.textContent = "Save the file";
      into.replaceChildren(link);
      return;
    }
    if (type.startsWith("application/json")) {
      const text = await answer.text();
      into.textContent = JSON.stringify(JSON.parse(text), null, 2);
      return;
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) into.append(piece.value);
  };

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("[data-path], #docs-key");
    if (!form) return;
    event.preventDefault();
    if (!form.dataset.path) return;
    const button = form.querySelector("button");
    const out = form.querySelector("output");
    const status = out.querySelector("[data-status]");
    const text = out.querySelector("code");
    button.disabled = true;
    out.hidden = false;
    status.textContent = "Sent, waiting …";
    text.textContent = "";
    try {
      const answer = await fetch(...requestOf(form));
      const left = answer.headers.get("X-RateLimit-Remaining");
      status.textContent = `${answer.status} · ${left} requests left in this window · ${answer.headers.get("X-Request-Id")}`;
      await show(answer, text);
    } catch (error) {
      status.textContent = `No answer: ${error.message}`;
    } finally {
      button.disabled = false;
    }
  });
})();
