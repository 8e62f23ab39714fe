/** What the compiler has to say of a generated client: this file is compiled, and never run. */

import { ApiClient, createClient, Day, get_product, schemas, type Order, type Result, type ValidationIssue } from "../generated/shop.ts";
import type { InferInput, InferOutput, NewOrderInput, Product } from "../generated/shop.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <T extends true>(_?: T): void => undefined;

const api = new ApiClient({ baseUrl: "https://shop.example/v1", headers: () => ({ Authorization: "Bearer token" }) });

export async function exhaustive(order: NewOrderInput): Promise<string> {
  const r = await api.place_order(order);
  if (r.ok) {
    isTrue<Same<typeof r.value, Order>>();
    return r.value.placed_at.toISOString();
  }
  if (r.declared) {
    switch (r.code) {
      case "OUT_OF_STOCK":
        isTrue<Same<typeof r.data.available, number>>();
        return r.data.product_id;
      case "CARD_DECLINED":
        isTrue<Same<typeof r.data, undefined>>();
        return r.code;
      case "NOT_FOUND":
        return r.data?.message ?? "";
      default: {
        const nothing: never = r;
        return nothing;
      }
    }
  }
  switch (r.code) {
    case "NETWORK_ERROR":
      isTrue<Same<typeof r.data.cause, "refused" | "timeout" | "aborted" | "tls" | "other">>();
      return r.data.cause;
    case "VALIDATION_ERROR":
      isTrue<Same<typeof r.data.issues, readonly ValidationIssue[]>>();
      return r.data.issues.map((issue) => issue.message).join();
    case "UNKNOWN_ERROR":
      return r.body ?? "";
    case "PAYLOAD_TOO_LARGE":
      return String(r.data?.limit);
    case "SERVICE_UNAVAILABLE":
    case "TOO_MANY_REQUESTS":
      return String(r.data?.retry_after);
    case "BAD_REQUEST":
    case "UNSUPPORTED_MEDIA_TYPE":
      return r.data.message;
    case "ROUTE_NOT_FOUND":
      return r.data.route;
    case "FORBIDDEN":
      return r.data?.description ?? "";
    case "DEADLINE_EXCEEDED":
    case "INTERNAL_ERROR":
    case "LENGTH_REQUIRED":
    case "METHOD_NOT_ALLOWED":
    case "REQUEST_TIMEOUT":
    case "UNAUTHORIZED":
      return r.code;
    default: {
      const nothing: never = r;
      return nothing;
    }
  }
}

export async function allAtOnce(): Promise<string> {
  const r = await api.get_product({ id: "blue-mug" });
  // every result has these, whatever it is
  isTrue<Same<[typeof r.status, typeof r.headers, typeof r.requestId], [number, Headers, string | undefined]>>();
  if (r.ok) return r.value.name;
  // NOT_FOUND is declared here, and stands in the union once
  switch (r.code) {
    case "NOT_FOUND":
      isTrue<Same<typeof r.declared, true>>();
      return "";
    // @ts-expect-error: the route does not declare it
    case "OUT_OF_STOCK":
      return "";
    default:
      isTrue<Same<typeof r.declared, false>>();
      return r.code;
  }
}

// what the status of a proxy's answer stands for is not a declared failure, whatever the route declares
isTrue<Same<Extract<Result<null, "SERVICE_UNAVAILABLE">, { code: "SERVICE_UNAVAILABLE" }>["declared"], boolean>>();
isTrue<Same<Extract<Result<null, "TOO_MANY_REQUESTS">, { code: "TOO_MANY_REQUESTS" }>["declared"], boolean>>();
isTrue<Same<Extract<Result<null, "FORBIDDEN">, { code: "FORBIDDEN" }>["declared"], true>>();

export async function notExhaustive(): Promise<string> {
  const r = await api.cancel_order({ id: "" });
  if (r.ok) return r.value.id;
  if (!r.declared) return r.code;
  switch (r.code) {
    case "NOT_FOUND":
      return "";
    default: {
      // @ts-expect-error: ALREADY_SHIPPED is left
      const nothing: never = r;
      return nothing;
    }
  }
}

export async function wrong(): Promise<void> {
  const r = await api.get_product({ id: "blue-mug" });
  // @ts-expect-error: it may not be there
  r.value;
  // @ts-expect-error: a field is missing
  await api.get_product({});
  // @ts-expect-error: a field too many
  await api.get_product({ id: "", name: "" });
  // @ts-expect-error: undefined is not absence
  await api.update_account({ name: undefined });
  // @ts-expect-error: no input
  await api.get_account({ id: "ada" });
  // @ts-expect-error: a text is not a Date
  await api.list_orders({ filter: { since: "2024-01-01T00:00:00Z" } });
  // @ts-expect-error: the tag has to be there
  await api.place_order({ lines: [], payment: { number: "", expires: "" } });
  // @ts-expect-error: no such day
  Day.DOOMSDAY;
  // @ts-expect-error: no base URL
  new ApiClient({});
}

export async function right(signal: AbortSignal, maybe?: AbortSignal): Promise<void> {
  await api.list_products();
  await api.list_products({}, { signal, retries: 0 });
  await api.list_products({ sort: "newest" }, { signal: maybe });
  await api.get_account({ headers: { "X-Trace": () => Promise.resolve("1") } });
  const unwrapped = await api.get_product({ id: "blue-mug" }).unwrap();
  isTrue<Same<typeof unwrapped, Product>>();
  const again = (await api.get_product({ id: "blue-mug" })).unwrap();
  isTrue<Same<typeof again, Product>>();
  const plain = await get_product(createClient({ baseUrl: "/v1" }), { id: "blue-mug" });
  if (plain.ok) isTrue<Same<typeof plain.value, Product>>();
  const hours = (await api.opening_hours().unwrap()).days[Day.MONDAY];
  hours?.opens.slice(1);
}

isTrue<Same<InferOutput<typeof schemas.place_order.output>, Order>>();
isTrue<Same<InferInput<typeof schemas.place_order.input>, NewOrderInput>>();

/** As the specification of Standard Schema has it: ours has to be one. */
interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined }[] };

export const standard: StandardSchemaV1<NewOrderInput, NewOrderInput> = schemas.place_order.input;
