function $format(run: $Run, format: string, text: string): never {
  return $fail(run, "format", { format, ...$mistake(format, text) });
}

/** What is known of a text that has not its form. */
function $mistake(format: string, text: string): $Params {
  const [, year = "", month = "", day = ""] = /^([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})(?:T|$)/.exec(text) ?? [];
  if (format.startsWith("date") && day && year !== "0000") {
    const days = new Date(Date.UTC(Number(year) + 400, Number(month), 0)).getUTCDate(); // below 100 it would be of 1900 on
    if (Number(day) > days) return { reason: "no_such_day", days };
  }
  const hasOffset = $own($TIMES, format);
  const date = format.startsWith("date") ? text.slice(0, 11) : "";
  const clock = $CLOCK.exec(text.slice(date.length));
  if (hasOffset === undefined || !clock || (date && !$DAY.test(date))) return {};
  const [, seconds, offset] = clock;
  if (!seconds) return { reason: "no_seconds" };
  return hasOffset && !offset ? { reason: "no_offset" } : {};
}

/** Forms with a time, and whether they have an offset, too. */
const $TIMES: { readonly [format: string]: boolean } = {
  "date-time": true,
  "date-time-local": false,
  time: true,
  "partial-time": false,
};

const $DAY = /^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T$/;

/** A time, of which the seconds and the offset may be missing. */
const $CLOCK =
  /^(?:[01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](?:\.[0-9]{1,9})?)?(Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?$/;

/** The check of a text with a form, which `read` gives a comparable value of, or undefined where it has not this form. */
/* @__NO_SIDE_EFFECTS__ */
function $text<U extends number | bigint | string>(
  format: string,
  read: (text: string) => U | undefined,
  limits: $Limits<string> = {},
  isMultiple?: (value: U, step: U) => boolean,
  tell?: (limit: string) => unknown,
): $Check<string> {
  return (value, run) => {
    if (typeof value !== "string") return $mistyped(run, "string_type", value, { format });
    const comparable = read(value);
    if (comparable === undefined) return $format(run, format, value);
    $limit(comparable, limits, run, (limit) => read(limit) as U, isMultiple, tell);
    return run.gives === "key" ? `${format} ${comparable}` : value; // no text of another form is equal
  };
}

/** A decimal number, written as a text so that no digit is lost. */
/* @__NO_SIDE_EFFECTS__ */
function $decimal(limits: $Limits<string> = {}): $Check<string> {
  const check = $text("decimal", $decimalUnits, limits, (value, step) => !(value % step));
  return (value, run) => {
    if (typeof value === "string" && $decimalUnits(value) === undefined && $DECIMAL.test(value)) {
      return $fail(run, "decimal_size", { max_digits: 40, max_exponent: 99 });
    }
    return check(value, run);
  };
}

const $DECIMAL = /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** The digits of a decimal number as a whole number, and the power of ten that it has to be multiplied with. */
function $decimalParts(text: string): [bigint, number] {
  const [number = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = number.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

/** A decimal as a multiple of 1e-139, the smallest that there is. */
function $decimalUnits(text: string): bigint | undefined {
  if (!/^-?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?$/.test(text)) return undefined;
  const [digits, exponent] = $decimalParts(text);
  return $shifted(digits, exponent + 139);
}

/** A whole number with zeros after it. */
function $shifted(digits: bigint, zeros: number): bigint {
  return digits * BigInt(10) ** BigInt(zeros);
}

/** An integer of 64 bits as the key of a map. */
/* @__NO_SIDE_EFFECTS__ */
function $integerKey({
  ge = "-9223372036854775808",
  le = "9223372036854775807",
  ...others
}: $Limits<string> = {}): $Check<string> {
  const tell = (limit: string): unknown => (Number.isSafeInteger(Number(limit)) ? Number(limit) : limit);
  return $text("integer", $integerOf, { ge, le, ...others }, (value, step) => !(value % step), tell);
}

function $integerOf(text: string): bigint | undefined {
  return /^(0|-?[1-9][0-9]{0,19})$/.test(text) ? BigInt(text) : undefined;
}

/* @__NO_SIDE_EFFECTS__ */
function $uuid(): $Check<string> {
  const form = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
  const read = (text: string): string | undefined => (form.test(text) ? text.toLowerCase() : undefined);
  return $text("uuid", read);
}

/** A day, such as "2026-01-31". */
/* @__NO_SIDE_EFFECTS__ */
function $date(limits: $Limits<string> = {}): $Check<string> {
  return $text("date", (text) => ($isDay(text) ? text : undefined), limits);
}

/** Whether there is a day of this name in the calendar. */
function $isDay(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) || text.startsWith("0000")) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

/** A time of the day, such as "10:00:00"; its offset from UTC may be demanded, forbidden or left to the sender. */
/* @__NO_SIDE_EFFECTS__ */
function $time(offset: "offset" | "no offset" | "any", limits: $Limits<string> = {}): $Check<string> {
  const check = $text(
    offset === "no offset" ? "partial-time" : "time",
    (text) => {
      const clock = $clock(text);
      return clock && (offset === "any" || (clock.offset !== undefined) === (offset === "offset"))
        ? clock.seconds * 1_000_000 + clock.micros - (clock.offset ?? 0) * 60_000_000
        : undefined;
    },
    limits,
  );
  return (value, run) => {
    const read = check(value, run);
    // a time without an offset is equal to none that has one
    return run.gives === "key" && $clock(value as string)?.offset === undefined ? `local ${read}` : read;
  };
}

/** A time of the day in seconds and microseconds, with its offset from UTC in minutes. */
function $clock(text: string): { seconds: number; micros: number; offset: number | undefined } | undefined {
  const found =
    /^([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,9}))?(?:Z|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))?$/.exec(
      text,
    );
  if (!found) return undefined;
  const [, hours, minutes, seconds, fraction = "", sign, offsetHours, offsetMinutes] = found;
  const offset = sign
    ? Number(`${sign}1`) * (Number(offsetHours) * 60 + Number(offsetMinutes))
    : text.endsWith("Z")
      ? 0
      : undefined;
  return {
    seconds: (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds),
    micros: Number(fraction.slice(0, 6).padEnd(6, "0")),
    offset,
  };
}

/** A span of time in days, hours, minutes and seconds, such as "P1DT2H". */
/* @__NO_SIDE_EFFECTS__ */
function $duration(limits: $Limits<string> = {}): $Check<string> {
  return $text("duration", $durationMicros, limits, (value, step) => !(value % step));
}

function $durationMicros(text: string): bigint | undefined {
  const found =
    /^(-)?P(?=.)(?:([0-8]?[0-9]{1,8})D)?(?:T(?=.)(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})(?:\.([0-9]{1,6}))?S)?)?$/.exec(
      text,
    );
  if (!found) return undefined;
  const [, sign, days = "0", hours = "0", minutes = "0", seconds = "0", fraction = ""] = found;
  const clock = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const micros = $micros(Number(days) * 86_400 + clock, Number(fraction.padEnd(6, "0")));
  return sign ? -micros : micros;
}

/** Microseconds, of which there are too many for a number. */
function $micros(seconds: number, micros: number): bigint {
  return BigInt(seconds) * BigInt(1_000_000) + BigInt(micros);
}

/** A moment in microseconds since 1970, and its offset from UTC in minutes. */
function $moment(text: string): { micros: bigint; offset: number } | undefined {
  const clock = text[10] === "T" && $isDay(text.slice(0, 10)) ? $clock(text.slice(11)) : undefined;
  if (clock?.offset === undefined) return undefined;
  const seconds = Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / 1000 + clock.seconds - clock.offset * 60;
  return { micros: $micros(seconds, clock.micros), offset: clock.offset };
}

/** What a clock shows, such as "2026-01-01T10:00:00". */
/* @__NO_SIDE_EFFECTS__ */
function $localMoment(limits: $Limits<string> = {}): $Check<string> {
  // with an offset, there would be two
  const read = (text: string): bigint | undefined => $moment(`${text}Z`)?.micros;
  return $text("date-time-local", read, limits);
}

function $hasOffset(found: number, wanted: number | undefined, run: $Run): boolean {
  if (wanted === undefined || wanted === found) return true;
  $report(run, "timezone", { timezone: $offsetText(wanted) });
  return false;
}

function $offsetText(minutes: number): string {
  const distance = Math.abs(minutes);
  const parts = [Math.floor(distance / 60), distance % 60].map((part) => String(part).padStart(2, "0"));
  return `${minutes < 0 ? "-" : "+"}${parts.join(":")}`;
}

/** A moment as it is written, such as "2026-01-01T10:00:00Z"; with a fixed offset from UTC, in minutes, where there is one. */
/* @__NO_SIDE_EFFECTS__ */
function $momentText(limits: $Limits<string> = {}, offset?: number): $Check<string> {
  return (value, run) => {
    if (typeof value !== "string") return $mistyped(run, "string_type", value, { format: "date-time" });
    const found = $moment(value);
    if (!found) return $format(run, "date-time", value);
    if ($hasOffset(found.offset, offset, run))
      $limit(found.micros, limits, run, (limit) => $moment(limit)?.micros ?? BigInt(0));
    return run.gives === "key" ? String(found.micros) : value;
  };
}

/** A moment as a Date, which knows milliseconds and no offset; it is sent with this offset from UTC, in minutes. */
/* @__NO_SIDE_EFFECTS__ */
function $momentDate(limits: $Limits<string> = {}, offset?: number): $Check<Date> {
  const check = $momentText(limits, offset);
  return (value, run) => {
    const text = $isA("Date", value) ? $dateText(value as Date, offset ?? 0) : value;
    const read = check(text, run);
    return run.gives === "value" && read
      ? new Date(Number($floor($moment(read)?.micros ?? BigInt(0), BigInt(1000))))
      : (read as never);
  };
}

function $dateText(moment: Date, offset: number): string {
  const local = new Date(moment.getTime() + offset * 60_000);
  if (Number.isNaN(local.getTime())) return "";
  return offset === 0 ? local.toISOString() : local.toISOString().replace("Z", $offsetText(offset));
}

function $floor(dividend: bigint, divisor: bigint): bigint {
  return (dividend - (((dividend % divisor) + divisor) % divisor)) / divisor;
}

/** Bytes, which stand in JSON as base64. */
/* @__NO_SIDE_EFFECTS__ */
function $bytes({ min = 0, max = Infinity }: $Size = {}): $Check<Uint8Array> {
  return (value, run) => {
    const text = $isA("Uint8Array", value) ? $toBase64(value as Uint8Array) : value;
    if (typeof text !== "string") return $mistyped(run, "string_type", text, { format: "byte" });
    if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || !$BASE64_END.test(text.slice(-4))) {
      return $format(run, "byte", text);
    }
    const length = (text.length / 4) * 3 - (text.length - text.replace(/=+$/, "").length);
    if (length < min) return $fail(run, "bytes_too_short", { min_length: min, length });
    if (length > max) return $fail(run, "bytes_too_long", { max_length: max, length });
    return run.gives === "value" ? Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)) : (text as never);
  };
}

/** Its last characters hold no bits that stand for nothing, so there is one text for one value. */
const $BASE64_END = /^([A-Za-z0-9+/]{4}|[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

function $toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
