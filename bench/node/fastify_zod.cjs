// SMALL in Fastify, where zod validates what comes in and what goes out.
const fastify = require("fastify")();
const { z } = require("zod");

const body = z.strictObject({ id: z.string() });
const out = z.object({ id: z.string(), name: z.string(), price: z.int() });

fastify.setValidatorCompiler(({ schema }) => (data) => {
  const read = schema.safeParse(data);
  return read.success ? { value: read.data } : { error: read.error };
});
fastify.setSerializerCompiler(({ schema }) => (data) => JSON.stringify(schema.parse(data)));
fastify.post("/v1/small", { schema: { body, response: { 200: out } } }, async (request) => ({ id: request.body.id, name: "n", price: 3 }));
fastify.listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
