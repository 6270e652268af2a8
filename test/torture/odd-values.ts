// Values that nobody means to send, and JSON values bent into what they should not be.
import type { Draw } from "./seeds.ts";

/** Stands in whatever odd text says something: it must come back nowhere. */
export const mark = "SECRETsecret";
/** An unknown name may be repeated to whoever sent it. */
export const keyMark = "oddName";

const depth = (levels: number) => {
  let value: unknown = mark;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

/** What may stand where anything may stand. */
export const oddValues: readonly unknown[] = [
  ...["", " ", mark, `${mark}\n${mark}`, `[${mark}]`, `{"${keyMark}":1}`, "[1]", "{}", "null"],
  ...["-1", "1e9", "99999999999999999999", "NaN", "%", "%ff", "../../etc", `${mark}\u0000`],
  ...["𝕏".repeat(50), "\ud800", "\udfff\ud83d", "\u202e\u200b\ufeff", "ﬀ", "a\u0301".repeat(300)],
  ...[0, -1, 1.5, 1e308, 2 ** 53, -0, true, null, [], {}, [mark], { [keyMark]: mark }],
  ...[depth(4), depth(400), mark.repeat(500), mark.repeat(50_000), Array(2_000).fill(mark)],
  ...["__proto__", "constructor", "1", "observation", "newest", "output"],
  ...['" OR 1=1 --', "NEAR(", '"', "*", "title:", "^", "-", "AND OR NOT", "(((("],
];

const keys = [
  "__proto__",
  "constructor",
  "toString",
  keyMark,
  "",
  "a.b",
  "\u0000",
  "hook_event_name",
];

/** A copy: what is bent further must not stay so for the next case. */
const odd = (draw: Draw) => structuredClone(draw.pick(oddValues));

/** The value with one to three of its parts lost, doubled under another name, or replaced. */
export function bent(value: unknown, draw: Draw): unknown {
  let made: unknown = structuredClone(value);
  for (let n = 1 + draw.below(3); n > 0; n--) made = bentOnce(made, draw);
  return made;
}

function bentOnce(value: unknown, draw: Draw): unknown {
  if (typeof value !== "object" || value === null || draw.chance(0.05)) return odd(draw);
  const names = Object.keys(value);
  const name = draw.chance(0.15) || names.length === 0 ? draw.pick(keys) : draw.pick(names);
  const holder = value as Record<string, unknown>;
  const inner = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (typeof inner === "object" && inner !== null && draw.chance(0.5)) {
    set(holder, name, bentOnce(inner, draw));
    return holder;
  }
  const how = draw.below(3);
  if (how === 0 && !Array.isArray(holder)) delete holder[name];
  else if (how === 1) set(holder, draw.pick(keys), inner);
  else set(holder, name, odd(draw));
  return holder;
}

/** Also a name that would reach the prototype is the object's own, as it is in parsed JSON. */
function set(holder: Record<string, unknown>, name: string, value: unknown): void {
  const own = { value, enumerable: true, configurable: true, writable: true };
  if (Array.isArray(holder)) holder.push(value);
  else Object.defineProperty(holder, name, own);
}

/** JSON text with a key twice, a key of the prototype's, nonsense around it, or too deep to be read by recursion. */
export function oddJson(value: unknown, draw: Draw): string {
  const text = JSON.stringify(value) ?? "";
  const inner = text.slice(1);
  switch (draw.below(8)) {
    case 0:
      return text.replace("{", `{"__proto__":{"${keyMark}":"${mark}"},`);
    case 1:
      return `{"session_id":["${mark}"],${inner}`;
    case 2:
      return `${text}${text}`;
    case 3:
      return text.replaceAll('"', "'");
    case 4:
      return `${'{"a":['.repeat(draw.below(5_000))}${text}`;
    case 5: {
      const levels = draw.below(20_000);
      return `{"tool_input":${"[".repeat(levels)}${"]".repeat(levels)},${inner}`;
    }
    case 6:
      return `\ufeff${text}`;
    default:
      return `${" \n".repeat(draw.below(2_000))}${text}\u0000`;
  }
}
