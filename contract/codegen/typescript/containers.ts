/* @__NO_SIDE_EFFECTS__ */
function $nullable<T>(inner: $Check<T>): $Check<T | null> {
  return (value, run) => (value === null ? value : inner(value, run));
}

/* @__NO_SIDE_EFFECTS__ */
function $array<T>(item: $Check<T>, { min = 0, max = Infinity }: $Size = {}, unique = false): $Check<T[]> {
  return (value, run) => {
    if (!Array.isArray(value)) return $mistyped(run, "array_type", value);
    $enter(run);
    if (value.length < min) return $fail(run, "too_few_items", { min_items: min, length: value.length });
    if (value.length > max) return $fail(run, "too_many_items", { max_items: max, length: value.length });
    const told = run.issues.length;
    const read = Array.from(value, (each, index) => $at(item, each, index, run));
    if (unique && run.issues.length === told) {
      if ($keys(item, value).size < value.length) return $fail(run, "not_unique", {});
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
    if (!Array.isArray(value)) return $mistyped(run, "array_type", value);
    $enter(run);
    if (value.length < required) return $fail(run, "too_few_items", { min_items: required, length: value.length });
    if (value.length > items.length) return $fail(run, "too_many_items", { max_items: items.length, length: value.length });
    return items.slice(0, value.length).map((item, index) => $at(item, value[index], index, run)) as T;
  };
}

/* @__NO_SIDE_EFFECTS__ */
function $map<T>(item: $Check<unknown>, { min = 0, max = Infinity }: $Size = {}, key?: $Check<unknown>): $Check<T> {
  return (value, run) => {
    if (!$isObject(value)) return $mistyped(run, "object_type", value);
    $enter(run);
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    const { length } = entries;
    if (length < min) return $fail(run, "too_few_keys", { min_keys: min, length });
    if (length > max) return $fail(run, "too_many_keys", { max_keys: max, length });
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
      if (keys.size < entries.length) return $fail(run, "not_unique", {});
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

/** The fields of a record, by their names. */
type $Fields = { readonly [key: string]: $Check<unknown> | $Optional };

/** What reads the keys of an object that no field has. */
type $Others = (fields: $Fields, value: { readonly [key: string]: unknown }, run: $Run) => [string, unknown][];

/** The values under all other keys are of one type. */
/* @__NO_SIDE_EFFECTS__ */
function $others(check: $Check<unknown>): $Others {
  return (fields, value, run) => {
    const read: [string, unknown][] = [];
    for (const [key, each] of Object.entries(value)) {
      if (Object.hasOwn(fields, key) || each === undefined) continue;
      const told = run.issues.length;
      read.push([$whole(key, run), $at(check, each, key, run)]);
      const [first] = run.issues.slice(told);
      const isOdd = first?.code.endsWith("_type") && first.path.length === run.path.length + 1;
      const meant = isOdd && !run.tries ? $meant(key, fields, value) : undefined; // a field is called so, or nearly
      if (meant === undefined) continue;
      run.issues.splice(told);
      $report(run, "unknown_key", { meant }, key);
    }
    return read;
  };
}

/** The field that was meant by a key, and is not there. */
function $meant(key: string, fields: $Fields, value: object): string | undefined {
  return $nearest(
    key,
    Object.keys(fields).slice(0, 50).filter((each) => !Object.hasOwn(value, each)),
  );
}

/* @__NO_SIDE_EFFECTS__ */
function $record<T>(fields: $Fields, others?: $Others): $Check<T> {
  const known = Object.entries(fields);
  return (value, run) => {
    if (!$isObject(value)) return $mistyped(run, "object_type", value);
    $enter(run);
    const read: [string, unknown][] = [];
    for (const [key, field] of known) {
      const required = typeof field === "function";
      const check = required ? field : field.check;
      const sent = Object.hasOwn(value, key) ? value[key] : undefined;
      if (sent !== undefined) read.push([key, $at(check, sent, key, run)]);
      else if (required) $report(run, "missing", {}, key);
      else if (run.gives === "key" && field.absent !== undefined) read.push([key, check(field.absent, run)]);
    }
    if (others) {
      for (const each of others(fields, value, run)) read.push(each); // a spread has a limit
    } else if (!run.open) {
      for (const key of Object.keys(value)) {
        if (Object.hasOwn(fields, key)) continue;
        const meant = $meant(key, fields, value);
        $report(run, "unknown_key", meant === undefined ? {} : { meant }, key);
      }
    }
    return Object.fromEntries(read) as T; // as above
  };
}

/* @__NO_SIDE_EFFECTS__ */
function $tagged<T>(tag: string, cases: readonly (readonly [unknown, $Check<unknown>])[]): $Check<T> {
  const known = new Map(cases);
  const tags = [...known.keys()];
  return (value, run) => {
    if (!$isObject(value)) return $mistyped(run, "object_type", value);
    if (!Object.hasOwn(value, tag) || value[tag] === undefined)
      return $fail(run, "missing", $listing(tags), tag);
    const check = known.get(value[tag]);
    return check ? (check(value, run) as T) : $fail(run, "unknown_tag", $unknown(value[tag], tags), tag);
  };
}

/** A member of a union, with the JSON types of its values, and what it is called where that says more. */
type $Member = readonly [string, $Check<unknown>, string?];

/* @__NO_SIDE_EFFECTS__ */
function $union<T>(expected: string, ...members: $Member[]): $Check<T> {
  return $either(expected, members);
}

/** A union, some of whose members name all their values. */
/* @__NO_SIDE_EFFECTS__ */
function $choice<T>(expected: string, ...members: $Member[]): $Check<T> {
  return $either(expected, members, $unlisted);
}

/* @__NO_SIDE_EFFECTS__ */
function $either<T>(expected: string, members: readonly $Member[], tell?: typeof $unlisted): $Check<T> {
  return (value, run) => {
    const types = $jsonTypes(value);
    const fitting = members.filter(([taken]) => taken.split(" ").some((type) => types.includes(type)));
    if (fitting.length === 1 && fitting[0]) return fitting[0][1](value, run) as T;
    if (fitting.length === 0) return $mistyped(run, "union", value, { expected });
    const complaints: ValidationIssue[] = [];
    for (const [, check] of fitting) {
      const attempt: $Run = { ...run, tries: true, path: [...run.path], issues: [] };
      const read = $attempt(check, value, attempt);
      const [first] = attempt.issues;
      if (!first) return read as T;
      if (first.code === "json_invalid") return $invalid(run, first.params ?? {}); // whichever member it is
      complaints.push({ ...first, path: first.path.slice(run.path.length) });
    }
    const closest = run.tries ? undefined : $closest(complaints.slice(0, 4));
    const told = tell?.(members, fitting, complaints, closest);
    return told ? $fail(run, ...told) : $fail(run, "union", closest ? { expected, closest } : { expected });
  };
}

/** The values that are listed, and what else one may be that fits some members, by their complaints. */
function $unlisted(
  members: readonly $Member[],
  fitting: readonly $Member[],
  complaints: readonly $Complaint[],
  closest?: $Complaint,
): readonly [string, $Params] | undefined {
  const values = complaints.filter($isListed);
  if (values.length === 0) return undefined;
  const said = closest && $isListed(closest) ? { meant: closest.params?.["meant"] } : closest && { closest };
  const told = { ...$together(values), ...said };
  if (values.length === complaints.length) return ["unknown_value", told];
  const names = members.map((member) => {
    const complaint = complaints[fitting.indexOf(member)];
    const [types, _, name = types.replaceAll(" ", ", ")] = member;
    return complaint && $isListed(complaint) ? "allowed" : name;
  });
  return ["union", { ...told, expected: [...new Set(names.join(", ").split(", "))].join(", ") }];
}

/** An issue, before there are words for it. */
interface $Complaint {
  readonly path: ValidationIssue["path"];
  readonly code: string;
  readonly params?: ValidationIssue["params"];
}

/** Whether it is that of a type that names all its values. */
function $isListed({ path, code }: $Complaint): boolean {
  return code === "unknown_value" && path.length === 0;
}

/** The values of several types that name all of theirs. */
function $together(complaints: readonly $Complaint[]): $Params {
  const listings = complaints.map(({ params }) => params as { readonly allowed: unknown[]; readonly count?: number });
  const count = listings.reduce((sum, each) => sum + (each.count ?? each.allowed.length), 0);
  return $listing(
    listings.flatMap(({ allowed }) => allowed),
    count,
  );
}

/** The complaint of the member that is meant: of the first that takes the most of a value. */
function $closest(complaints: readonly ValidationIssue[]): $Complaint | undefined {
  const nearness = ({ path, code, params = {} }: ValidationIssue): number => {
    if (path.length > 0) return 2;
    const isHint = "reason" in params || "meant" in params;
    return isHint || !/^(format|unknown_value|string_type|union)$/.test(code) ? 1 : 0;
  };
  const near = complaints.filter((each) => nearness(each) > 0);
  const best = near.find((each) => nearness(each) > 1) ?? near[0];
  return best && { path: $shortPath(best.path), code: best.code, params: best.params ?? {} };
}

/** As much of a path as a server tells. */
function $shortPath(path: ValidationIssue["path"]): ValidationIssue["path"] {
  return path.slice(0, 16).map((part) => (typeof part === "string" ? [...part].slice(0, 64).join("") : part));
}
