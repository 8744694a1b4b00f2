// Calls each tool at /mcp with the protocol's own client for TypeScript, as hosts of agents do; arguments: address, key.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [address, key] = process.argv.slice(2);
const text = readFileSync("docs/install.md", "utf8");

function connection(key) {
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  return new StreamableHTTPClientTransport(new URL("/mcp", address), { requestInit });
}

const client = new Client({ name: "smoke", version: "1" });
await client.connect(connection(key));

async function done(name, given = {}, options = {}) {
  const answer = await client.callTool({ name, arguments: given }, undefined, options);
  const said = answer.content[0].text;
  assert(!answer.isError, `${name}: ${said}`);
  return JSON.parse(said);
}

const called = new Set();
const { tools } = await client.listTools();
const tool = (name, ...rest) => {
  called.add(name);
  return done(name, ...rest);
};

const before = (await tool("credits")).credits_remaining;
const heard = [];
const made = await tool("generate_skill", { source: text, name: "From a host" }, { onprogress: ({ message }) => heard.push(message) });
assert.equal(made.name, "from-a-host");
assert.equal(heard.length, 3, "a line of progress for each stage");
const once = { source: text, idempotency_key: "once" };
assert.equal((await tool("generate_skill", once)).id, (await tool("generate_skill", once)).id);
const { topics } = await tool("detect_topics", { source: text });
const chosen = topics.slice(0, 2);
const catalogue = await tool("generate_catalogue", { source: text, topics: chosen.map((topic) => topic.slug) });
assert.equal(catalogue.skills.length, chosen.length);
assert.equal((await tool("credits")).credits_remaining, before - 2 - chosen.length);
const { skills } = await tool("list_skills");
assert(skills.some((skill) => skill.id === made.id));
const got = await tool("get_skill", { skill: made.id });
assert.equal((await tool("validate_skill", { content: got.content })).errors, 0);
assert.deepEqual([...called].sort(), tools.map((tool) => tool.name).sort(), "each tool was called");

const { resources } = await client.listResources();
const resource = resources.find(({ uri }) => uri.startsWith("skill://"));
const { contents } = await client.readResource({ uri: resource.uri });
assert(contents[0].text.startsWith("---\n"));

// What is refused is told to the agent, and a host without a key gets nowhere.
const refused = await client.callTool({ name: "detect_topics", arguments: { source: "undefined" } });
assert(refused.isError && refused.content[0].text.startsWith("VALIDATION_ERROR: "), refused.content[0].text);
await client.close();
await assert.rejects(new Client({ name: "stranger", version: "1" }).connect(connection("none")));
