// Two tools on the TypeScript SDK 2: without an argument over stdio, with a port over HTTP; in place of a port
// `legacy` is stdio with the handshake alone, `modern` stdio without it, `asking` two tools that want more.

import { createServer } from "node:http";
import { Readable } from "node:stream";
import { McpServer, createMcpHandler, inputRequired } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

function make() {
  const server = new McpServer({ name: "sdk", version: "1" });
  const numbers = z.object({ a: z.number().int(), b: z.number().int().default(1) });
  server.registerTool("add", { description: "Add two numbers.", inputSchema: numbers }, ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
  }));
  const text = z.object({ x: z.string() });
  server.registerTool("boom", { description: "Fail.", inputSchema: text }, () => {
    throw new Error("detail");
  });
  return server;
}

function makeAsking() {
  const server = new McpServer({ name: "sdk", version: "1" });
  const nothing = z.object({});
  server.registerTool("twice", { description: "Want to be asked again.", inputSchema: nothing }, (_, context) => {
    const state = context.mcpReq.requestState();
    return state ? { content: [{ type: "text", text: state }] } : inputRequired({ requestState: "once" });
  });
  server.registerTool("ask", { description: "Want a person's word.", inputSchema: nothing }, () => {
    const requestedSchema = { type: "object", properties: { sure: { type: "boolean" } } };
    return inputRequired({ inputRequests: { sure: inputRequired.elicit({ message: "Sure?", requestedSchema }) } });
  });
  return server;
}

function listen(port) {
  const handler = createMcpHandler(make);
  createServer(async (request, response) => {
    const url = `http://127.0.0.1:${port}${request.url}`;
    const body = request.method === "POST" ? { body: Readable.toWeb(request), duplex: "half" } : {};
    const answer = await handler.fetch(new Request(url, { method: request.method, headers: request.headers, ...body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) {
      Readable.fromWeb(answer.body).pipe(response);
    } else {
      response.end();
    }
  }).listen(port, "127.0.0.1");
}

const [mode] = process.argv.slice(2);
if (mode === "legacy") {
  await make().connect(new StdioServerTransport());
} else if (mode === "modern") {
  serveStdio(make, { legacy: "reject" });
} else if (mode === "asking") {
  serveStdio(makeAsking);
} else if (mode) {
  listen(Number(mode));
} else {
  serveStdio(make);
}
