// Runs each operation once with openapi-fetch and the types that openapi-typescript generated; arguments: address, key.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./types";

const [address, key] = process.argv.slice(2) as [string, string];
const client = createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${key}` } });
const text = readFileSync("docs/install.md", "utf8");
const file = () => new File([text], "install.md", { type: "text/markdown" });

// A form: lists are sent as a part for each, objects as JSON.
const bodySerializer = (fields: object) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) form.append(name, one instanceof Blob || typeof one === "string" ? one : JSON.stringify(one));
  }
  return form;
};

function had<Data>(answer: { data?: Data; error?: unknown }): Data {
  assert.equal(answer.error, undefined);
  assert.notEqual(answer.data, undefined);
  return answer.data as Data;
}

async function events(stream: ReadableStream<Uint8Array>): Promise<[string, unknown][]> {
  const whole = await new Response(stream).text();
  const frames = whole.split("\n\n").filter((frame) => frame.startsWith("event: "));
  return frames.map((frame) => [frame.split("\n")[0]!.slice(7), JSON.parse(frame.split("\ndata: ")[1]!)]);
}

async function main() {
  // The REST surface.
  const ofText = had(await client.POST("/api/v1/generate", { body: { source: text, name: "From text", max_pages: 1 }, bodySerializer }));
  assert("skill" in ofText && ofText.metadata.source_type === "text");
  const ofFile = had(await client.POST("/api/v1/generate", { body: { source: file(), max_pages: 1 }, bodySerializer }));
  assert("skill" in ofFile && ofFile.metadata.source_type === "file");
  const later = await client.POST("/api/v1/generate", {
    params: { header: { Prefer: "respond-async", "Idempotency-Key": "once" } }, body: { source: text, max_pages: 1 }, bodySerializer,
  });
  const run = had(later);
  assert("cost" in run && later.response.status === 202);
  assert.equal(had(await client.GET("/api/v1/generations/{id}", { params: { path: { id: run.id } } })).id, run.id);
  const { topics } = had(await client.POST("/api/v1/detect-topics", { body: { source: file(), max_pages: 1 }, bodySerializer }));
  const selected_topics = topics.slice(0, 2);
  const catalogue = had(await client.POST("/api/v1/generate/catalogue", { body: { source: file(), selected_topics, max_pages: 1 }, bodySerializer }));
  assert(typeof catalogue === "object" && "catalogueId" in catalogue && catalogue.skills.length === selected_topics.length);
  assert(had(await client.GET("/api/v1/credits")).total_generations >= 2 + selected_topics.length);
  assert(had(await client.GET("/api/v1/generations", { params: { query: { limit: 2 } } })).has_more);
  const download = await client.GET("/api/v1/generations/{id}/skill", { params: { path: { id: ofFile.skill.id } }, parseAs: "text" });
  assert.equal(had(download), ofFile.skill.content);

  // The application surface.
  const { sources } = had(await client.POST("/api/upload", { body: { files: [file(), file()] }, bodySerializer }));
  const source_ids = sources.map((source) => source.id);
  assert(had(await client.POST("/api/prefill", { body: { source_ids } })).name);
  const stream = had(await client.POST("/api/generate", { body: { source_ids, category: "guide" }, parseAs: "stream" }));
  const told = await events(stream as ReadableStream<Uint8Array>);
  assert.deepEqual(told.map(([name]) => name), ["progress", "progress", "progress", "complete"]);
  const id = (told.at(-1)![1] as components["schemas"]["CompleteEvent"]).skill_id;
  const path = { id };
  const { skills } = had(await client.GET("/api/skills", { params: { query: { category: "guide" } } }));
  assert(skills.some((line) => line.id === id));
  const read = await client.GET("/api/skills/{id}", { params: { path } });
  const skill = had(read);
  const header = { "If-Match": read.response.headers.get("ETag")! };
  const saved = had(await client.PUT("/api/skills/{id}", { params: { path, header }, body: { content: `${skill.content}\nMore.\n` } }));
  assert.equal(saved.word_count, skill.word_count + 1);
  const zip = had(await client.GET("/api/skills/{id}/download", { params: { path, query: { format: "zip" } }, parseAs: "blob" }));
  assert((zip as Blob).size > 100);
  const shared = had(await client.POST("/api/skills/{id}/share", { params: { path }, body: { is_public: true } }));
  assert(shared.share_url.endsWith(`/s/${id}`));
  const copy = had(await client.POST("/api/skills/{id}/duplicate", { params: { path } }));
  const again = had(await client.POST("/api/skills/{id}/regenerate", { params: { path }, parseAs: "stream" }));
  assert.equal((await events(again as ReadableStream<Uint8Array>)).at(-1)![0], "complete");
  // What was made of files is not watched.
  const watch = await client.PUT("/api/skills/{id}/watch", { params: { path }, body: { every: "weekly", on_change: "tell" } });
  assert.equal(watch.error?.error.code, "VALIDATION_ERROR");
  for (const nobody of [
    await client.GET("/api/skills/{id}/watch", { params: { path } }),
    await client.DELETE("/api/skills/{id}/watch", { params: { path } }),
    await client.POST("/api/skills/{id}/watch", { params: { path }, body: { action: "look" } }),
  ]) assert.equal(nobody.error?.error.code, "NOT_FOUND");
  const gone = await client.DELETE("/api/skills/{id}", { params: { path: { id: copy.id } } });
  assert.equal(gone.response.status, 204);
  const missing = await client.GET("/api/skills/{id}", { params: { path: { id: copy.id } } });
  assert.equal(missing.error?.error.code, "NOT_FOUND");
  assert(had(await client.GET("/api/credits")).credits >= 0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
