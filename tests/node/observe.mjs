// Lists the tools of a server and makes calls, with a client of the official SDK, and prints what that gave
// as JSON. The plan is read from stdin: `sdk` (1 or 2), `version` (pinned, for 2), `command`, `args`, `env`,
// or `url`; and `calls`, a list of `name` and `arguments`.

import { readFileSync } from "node:fs";

const plan = JSON.parse(readFileSync(0, "utf-8"));

async function load() {
  if (plan.sdk === 1) {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    return { client: new Client({ name: "oracle", version: "1" }), StdioClientTransport, StreamableHTTPClientTransport };
  }
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const versionNegotiation = { mode: plan.version ? { pin: plan.version } : "legacy" };
  const client = new Client({ name: "oracle", version: "1" }, { versionNegotiation });
  return { client, StdioClientTransport, StreamableHTTPClientTransport };
}

async function outcome(client, call) {
  try {
    return { result: await client.callTool(call) };
  } catch (problem) {
    return { error: { code: problem.code ?? null, message: String(problem.message) } };
  }
}

async function listed(client) {
  const tools = [];
  let cursor;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

const { client, StdioClientTransport, StreamableHTTPClientTransport } = await load();
const { command, args, env, url } = plan;
const transport = url
  ? new StreamableHTTPClientTransport(new URL(url))
  : new StdioClientTransport({ command, args, env, stderr: "ignore" });
await client.connect(transport);
const tools = await listed(client);
const calls = [];
for (const call of plan.calls) {
  calls.push(await outcome(client, call));
}
await client.close();
process.stdout.write(JSON.stringify({ tools, calls }));
