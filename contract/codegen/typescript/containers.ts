/* @__NO_SIDE_EFFECTS__ */
function $nullable<T>(inner: $Check<T>): $Check<T | null> {
  return (value, run) => (value === null ? value : inner(value, run));
}

/* @__NO_SIDE_EFFECTS__ */
function $array<T>(item: $Check<T>, { min = 0, max = Infinity }: $Size = {}, unique = false): $Check<T[]> {
  return (value, run) => {
    if (!Array.isArray(value)) return $fail(run, "array_type", "Must be an array.");
    $enter(run);
    if (value.length < min) return $fail(run, "too_few_items", `Must have at least ${min} items.`);
    if (value.length > max) return $fail(run, "too_many_items", `Must have at most ${max} items.`);
    const told = run.issues.length;
    const read = Array.from(value, (each, index) => $at(item, each, index, run));
    if (unique && run.issues.length === told) {
      if ($keys(item, value).size < value.length) return $fail(run, "not_unique", "Must not have equal items.");
      if (run.gives === "key") return read.map((key) => JSON.stringify(key)).sort() as never;
    }
    return read;
  };
}

/** As many texts as there are different values, of a type that takes each of them. */
function $keys(check: $Check<unknown>, values: readonly unknown[]): Set<string> {
  return new Set(
    values.map((value) =>
      JSON.stringify($attempt(check, value, { gives: "key", open: true, text: "", known: {}, path: [], issues: [] })),
    ),
  );
}

/* @__NO_SIDE_EFFECTS__ */
function $tuple<T extends unknown[]>(items: readonly $Check<unknown>[], required = items.length): $Check<T> {
  return (value, run) => {
    if (!Array.isArray(value)) return $fail(run, "array_type", "Must be an array.");
    $enter(run);
    if (value.length < required) return $fail(run, "too_few_items", `Must have at least ${required} items.`);
    if (value.length > items.length) return $fail(run, "too_many_items", `Must have at most ${items.length} items.`);
    return items.slice(0, value.length).map((item, index) => $at(item, value[index], index, run)) as T;
  };
}

/* @__NO_SIDE_EFFECTS__ */
function $map<T>(item: $Check<unknown>, { min = 0, max = Infinity }: $Size = {}, key?: $Check<unknown>): $Check<T> {
  return (value, run) => {
    if (!$isObject(value)) return $fail(run, "object_type", "Must be an object.");
    $enter(run);
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    if (entries.length < min) return $fail(run, "too_few_keys", `Must have at least ${min} keys.`);
    if (entries.length > max) return $fail(run, "too_many_keys", `Must have at most ${max} keys.`);
    const told = run.issues.length;
    const read: [string, unknown][] = [];
    for (const [name, each] of entries) {
      const before = run.issues.length;
      $whole(name, run);
      if (key) $at(key, name, name, run);
      if (run.issues.length === before) read.push([name, $at(item, each, name, run)]);
    }
    if (key && run.issues.length === told) {
      const keys = $keys(
        key,
        entries.map(([name]) => name),
      );
      if (keys.size < entries.length) return $fail(run, "not_unique", "Must not have equal items.");
    }
    return Object.fromEntries(read) as T; // unlike an assignment it may be given a key called __proto__
  };
}

/** A field that may be absent, and what that means where it is known. */
interface $Optional {
  readonly check: $Check<unknown>;
  readonly absent?: unknown;
}

/* @__NO_SIDE_EFFECTS__ */
function $optional(check: $Check<unknown>, absent?: unknown): $Optional {
  return { check, absent };
}

/* @__NO_SIDE_EFFECTS__ */
function $record<T>(fields: { readonly [key: string]: $Check<unknown> | $Optional }): $Check<T> {
  const known = Object.entries(fields);
  return (value, run) => {
    if (!$isObject(value)) return $fail(run, "object_type", "Must be an object.");
    $enter(run);
    const read: [string, unknown][] = [];
    for (const [key, field] of known) {
      const required = typeof field === "function";
      const check = required ? field : field.check;
      const sent = Object.hasOwn(value, key) ? value[key] : undefined;
      if (sent !== undefined) read.push([key, $at(check, sent, key, run)]);
      else if (required) $report(run, "missing", "This field is required.", key);
      else if (run.gives === "key" && field.absent !== undefined) read.push([key, check(field.absent, run)]);
    }
    if (!run.open) {
      for (const key of Object.keys(value)) {
        if (!Object.hasOwn(fields, key)) $report(run, "unknown_key", "This key is not known here.", key);
      }
    }
    return Object.fromEntries(read) as T; // as above
  };
}

/* @__NO_SIDE_EFFECTS__ */
function $tagged<T>(tag: string, cases: readonly (readonly [unknown, $Check<unknown>])[]): $Check<T> {
  const known = new Map(cases);
  return (value, run) => {
    if (!$isObject(value)) return $fail(run, "object_type", "Must be an object.");
    if (!Object.hasOwn(value, tag) || value[tag] === undefined)
      return $fail(run, "missing", "This field is required.", tag);
    const check = known.get(value[tag]);
    return check ? (check(value, run) as T) : $fail(run, "unknown_tag", "Must be one of the allowed values.", tag);
  };
}

/** The members of a union, each with the JSON types of its values. */
/* @__NO_SIDE_EFFECTS__ */
function $union<T>(expected: string, ...members: (readonly [string, $Check<unknown>])[]): $Check<T> {
  return (value, run) => {
    const types = $jsonTypes(value);
    const fitting = members.filter(([taken]) => taken.split(" ").some((type) => types.includes(type)));
    if (fitting.length === 1 && fitting[0]) return fitting[0][1](value, run) as T;
    for (const [, check] of fitting) {
      const attempt: $Run = { ...run, path: [...run.path], issues: [] };
      const read = $attempt(check, value, attempt);
      if (attempt.issues.length === 0) return read as T;
      const [first] = attempt.issues;
      if (first?.code === "json_invalid") return $invalid(run, first.message); // whichever member it is
    }
    return $fail(run, "union", `Must be one of: ${expected}.`);
  };
}

function $jsonTypes(value: unknown): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  if (value instanceof Date || value instanceof Uint8Array) return ["string"];
  return [typeof value];
}
