// Runs each operation once with the client that @hey-api/openapi-ts generated; arguments: address, key.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as api from "./hey/sdk.gen";
import { client } from "./hey/client.gen";

const [address, key] = process.argv.slice(2) as [string, string];
client.setConfig({ baseUrl: address, auth: () => key });
const text = readFileSync("docs/install.md", "utf8");
const file = () => new File([text], "install.md", { type: "text/markdown" });

function had<Data>(answer: { data?: Data; error?: unknown }): Data {
  assert.equal(answer.error, undefined);
  assert.notEqual(answer.data, undefined);
  return answer.data as Data;
}

// What the events of a run tell: its stages, and the skill.
async function told(stream: AsyncGenerator<unknown>): Promise<{ stages: string[]; id: string }> {
  const stages: string[] = [];
  for await (const event of stream) {
    assert(typeof event === "object" && event !== null && !("error" in event), JSON.stringify(event));
    if ("stage" in event) stages.push(event.stage as string);
    if ("skill_id" in event) return { stages, id: event.skill_id as string };
  }
  throw new Error("the stream ended early");
}

async function main() {
  // The REST surface.
  const ofText = had(await api.restGenerate({ body: { source: text, name: "From text" } }));
  assert("skill" in ofText && ofText.metadata.source_type === "text");
  const ofFile = had(await api.restGenerate({ body: { source: file() } }));
  assert("skill" in ofFile && ofFile.metadata.source_type === "file");
  const run = had(await api.restGenerate({ body: { source: text }, headers: { Prefer: "respond-async", "Idempotency-Key": "once" } }));
  assert("cost" in run);
  assert.equal(had(await api.restRun({ path: { id: run.id } })).id, run.id);
  const { topics } = had(await api.restDetectTopics({ body: { source: file() } }));
  const selected_topics = topics.slice(0, 2);
  const catalogue = had(await api.restGenerateCatalogue({ body: { source: file(), selected_topics } }));
  assert("catalogueId" in catalogue && catalogue.skills.length === selected_topics.length);
  assert(had(await api.restCredits()).total_generations >= 2 + selected_topics.length);
  assert(had(await api.restGenerations({ query: { limit: 2 } })).has_more);
  assert.equal(had(await api.restDownload({ path: { id: ofFile.skill.id } })), ofFile.skill.content);

  // The application surface.
  const { sources } = had(await api.upload({ body: { files: [file(), file()] } }));
  const source_ids = sources.map((source) => source.id);
  assert(had(await api.prefill({ body: { source_ids } })).name);
  const { stages, id } = await told((await api.generate({ body: { source_ids, category: "guide" } })).stream);
  assert.deepEqual(stages, ["extracting", "synthesizing", "validating"]);
  const path = { id };
  assert(had(await api.listSkills({ query: { category: "guide" } })).skills.some((line) => line.id === id));
  const read = await api.getSkill({ path });
  const skill = had(read);
  const headers = { "If-Match": read.response!.headers.get("ETag")! };
  const saved = had(await api.updateSkill({ path, headers, body: { content: `${skill.content}\nMore.\n` } }));
  assert.equal(saved.word_count, skill.word_count + 1);
  assert((had(await api.downloadSkill({ path, query: { format: "zip" } })) as Blob).size > 100);
  assert(had(await api.shareSkill({ path, body: { is_public: true } })).share_url.endsWith(`/s/${id}`));
  const copy = had(await api.duplicateSkill({ path }));
  assert.equal((await told((await api.regenerateSkill({ path })).stream)).id, id);
  // What was made of files is not watched.
  const watch = await api.watchSkill({ path, body: { every: "weekly", on_change: "tell" } });
  assert.equal(watch.error?.error.code, "VALIDATION_ERROR");
  for (const nobody of [await api.getWatch({ path }), await api.unwatchSkill({ path }), await api.answerWatch({ path, body: { action: "look" } })])
    assert.equal(nobody.error?.error.code, "NOT_FOUND");
  assert.equal((await api.deleteSkill({ path: { id: copy.id } })).response!.status, 204);
  assert.equal((await api.getSkill({ path: { id: copy.id } })).error?.error.code, "NOT_FOUND");
  assert(had(await api.credits()).credits >= 0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
