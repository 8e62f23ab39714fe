// The TypeScript clients, @modelcontextprotocol/sdk 1 and @modelcontextprotocol/client 2, as run.py beside this file asks them:
// what each says of an endpoint, as a line of JSON.   node node_clients.cjs URL TOKEN URL_OF_PROGRESS
"use strict";

const first = {
  Client: require("@modelcontextprotocol/sdk/client/index.js").Client,
  StreamableHTTPClientTransport: require("@modelcontextprotocol/sdk/client/streamableHttp.js").StreamableHTTPClientTransport,
};
const second = require("@modelcontextprotocol/client");

const order = { lines: [{ product_id: "squared-notebook", quantity: 1 }], payment: { kind: "cash" } };

async function said(client, transport) {
  const call = async (name, args) => {
    try {
      const result = await client.callTool({ name, arguments: args });
      return { failed: result.isError ?? false, data: result.structuredContent ?? null, texts: result.content.map((block) => block.text) };
    } catch (error) {
      return { refused: `${error.constructor.name}: ${error.message}` };
    }
  };
  return {
    revision: client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion,
    server: client.getServerVersion()?.name ?? null,
    instructions: client.getInstructions(),
    tools: (await client.listTools()).tools.map((tool) => tool.name),
    product: await call("get_product", { id: "blue-mug" }),
    missing: await call("get_product", { id: "no-mug" }),
    invalid: await call("get_product", { id: 3 }),
    order: await call("place_order", order),
    orders: await call("list_orders", { filter: {} }),
    unknown: await call("sales_report", {}),
  };
}

async function heard(client) {
  const told = [];
  const items = [];
  const schema = client instanceof first.Client ? [undefined] : []; // of the result
  const call = (name, onprogress) => client.callTool({ name, arguments: {} }, ...schema, { onprogress });
  await call("test_tool_with_progress", ({ progress }) => told.push(progress));
  await client.listTools(); // with the schemas of outputs, which results are held to
  const result = await call("counted", ({ message }) => items.push(message));
  return { progress: told, stream: { failed: result.isError ?? false, items, data: result.structuredContent } };
}

async function connected({ Client, StreamableHTTPClientTransport }, url, token, mode, use) {
  const client = new Client({ name: "oracle", version: "1.0.0" }, { versionNegotiation: { mode } });
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  const answers = await use(client, transport);
  await client.close();
  return answers;
}

async function main(url, token, urlOfProgress) {
  const answers = {};
  const modes = [
    ["sdk legacy", first, "legacy"],
    ["client legacy", second, "legacy"],
    ["client auto", second, "auto"],
    ["client 2026-07-28", second, { pin: "2026-07-28" }],
  ];
  for (const [name, library, mode] of modes) {
    answers[`${name}, without a token`] = await connected(library, url, null, mode, said);
    answers[`${name}, with a token`] = await connected(library, url, token, mode, said);
    answers[`${name}, progress`] = await connected(library, urlOfProgress, null, mode, heard);
  }
  return answers;
}

main(...process.argv.slice(2)).then((answers) => console.log(JSON.stringify(answers)));
