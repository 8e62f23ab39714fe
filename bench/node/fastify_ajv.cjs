// SMALL in Fastify, whose own ajv validates, and whose serializer is compiled from the schema of the answer.
const fastify = require("fastify")({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });

const text = { type: "string" };
const body = { type: "object", properties: { id: text }, required: ["id"], additionalProperties: false };
const out = { type: "object", properties: { id: text, name: text, price: { type: "integer" } }, required: ["id", "name", "price"] };

fastify.post("/v1/small", { schema: { body, response: { 200: out } } }, async (request) => ({ id: request.body.id, name: "n", price: 3 }));
fastify.listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
