/** Mistakes: what zod says of bodies, which come in on standard input as pairs of a type and a text (bench/mistakes.py). */

import { readFileSync } from "node:fs";

import { z } from "zod";

const int = () => z.number().int();
const line = z.strictObject({ sku: z.string().min(1).max(40), quantity: int().min(1).max(99), note: z.string().nullish() });
const card = z.strictObject({ kind: z.literal("card"), number: z.string().length(4) });
const cash = z.strictObject({ kind: z.literal("cash"), currency: z.enum(["EUR", "USD"]).default("EUR") });

const TYPES = {
  order: z.strictObject({
    product_id: z.string(),
    quantity: int(),
    express: z.boolean().default(false),
    colour: z.enum(["red", "green", "blue"]).default("red"),
  }),
  lines: z.strictObject({ lines: z.array(line).min(1).max(3) }),
  stay: z.strictObject({ first: z.iso.date(), nights: int().min(1).max(30) }),
  meeting: z.strictObject({ at: z.iso.datetime({ offset: true }), lasts: z.iso.duration() }),
  price: z.strictObject({ amount: z.string().regex(/^-?\d+(\.\d+)?$/), rate: z.number().gt(0).lt(1) }),
  account: z.strictObject({
    id: z.uuid(),
    email_address: z.string().regex(/^[^@ ]+@[^@ ]+$/),
    name: z.string().min(2).max(20),
    avatar: z.base64().nullish(),
  }),
  payment: z.strictObject({ how: z.discriminatedUnion("kind", [card, cash]) }),
  either: z.strictObject({ value: z.union([int(), z.string()]) }),
  when: z.strictObject({ on: z.union([z.iso.date(), z.iso.datetime({ offset: true })]) }),
  scores: z.strictObject({
    of: z.record(z.string(), int()).refine((of) => Object.keys(of).length <= 2, "Must have at most 2 keys"),
  }),
  point: z.strictObject({ at: z.tuple([z.number(), z.number()]) }),
  tags: z.strictObject({
    tags: z
      .array(z.string())
      .max(5)
      .refine((tags) => new Set(tags).size === tags.length),
    steps: int().multipleOf(5),
  }),
  country: z.strictObject({
    country: z.enum(["AT", "BE", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "IE", "IT", "NL", "PL"]),
  }),
};

function told(type, body) {
  let value;
  try {
    value = JSON.parse(body);
  } catch (error) {
    return `(root): ${error.message}`; // zod is given what JSON.parse gives
  }
  const { error } = TYPES[type].safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join(".") || "(root)"}: ${message}`).join("\n");
}

const asked = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(asked.map(([type, body]) => told(type, body))));
