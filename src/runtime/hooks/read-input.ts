// What an operation of a plugin is asked → values by what it takes: the same for a query string, a command and an agent's JSON.
import { MemoirError } from "../../sdk/errors.ts";
import type { Input, Inputs } from "../../sdk/operation.ts";
import { timeIn } from "../../text/time-of.ts";
import { nearest } from "../config/problems.ts";

/** Throws `usage` that names the input and says what may stand there; what was given is never repeated. */
export function readInput(takes: Inputs, given: unknown, now: number): Record<string, unknown> {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new MemoirError("usage", "The input must be an object.");
  const names = Object.keys(takes);
  const strange = Object.keys(given).find((name) => !Object.hasOwn(takes, name));
  if (strange !== undefined) {
    const near = nearest(strange, names);
    const what = /^[\w.-]{1,32}$/.test(strange) ? `\`${strange}\`` : "one of the names";
    throw new MemoirError("usage", `It takes no ${what}.`, {
      fix: near
        ? `Write \`${near}\`.`
        : names.length > 0
          ? `It takes ${names.join(", ")}.`
          : "It takes nothing.",
    });
  }
  const read: Record<string, unknown> = {};
  for (const [name, input] of Object.entries(takes)) {
    const value = (given as Record<string, unknown>)[name] ?? input.default;
    if (value !== undefined) read[name] = valueFor(input, value, name, now);
    else if (input.required)
      throw new MemoirError("usage", `\`${name}\` is missing: ${input.says}.`);
  }
  return read;
}

function valueFor(input: Input, value: unknown, name: string, now: number): unknown {
  const { is, most = Number.MAX_SAFE_INTEGER, choices, many } = input;
  const mustBe = (what: string) => new MemoirError("usage", `\`${name}\` must be ${what}.`);
  if (is === "switch") {
    if (typeof value === "boolean") return value;
    if (value === "true" || value === "false") return value === "true";
    throw mustBe("true or false");
  }
  if (is === "count") {
    const count = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
    if (Number.isSafeInteger(count) && Number(count) >= 1 && Number(count) <= most) return count;
    throw mustBe(`a whole number from 1${input.most === undefined ? " on" : ` to ${most}`}`);
  }
  if (is === "time") {
    if (typeof value === "number" && value >= 0) return value;
    if (typeof value === "string" && /^\d{10,16}$/.test(value)) return Number(value);
    if (typeof value === "string") return timeIn(value, now, `\`${name}\``);
    throw mustBe("a time");
  }
  if (many) {
    const all = typeof value === "string" ? (choices ? value.split(",") : [value]) : value;
    if (Array.isArray(all) && all.length <= mostOfMany)
      return all.map((one) => textOf(input, one, mustBe));
    throw mustBe("a list");
  }
  return textOf(input, value, mustBe);
}

const mostOfMany = 1_000;
const longest = { filled: 4_096, phrasing: 10_000, stdin: 8 * 1024 * 1024 };

function textOf(
  { is, choices }: Input,
  value: unknown,
  mustBe: (what: string) => MemoirError,
): string {
  if (typeof value !== "string") throw mustBe("a string");
  if (choices && !choices.includes(value)) throw mustBe(`one of ${choices.join(", ")}`);
  if (is === "filled" && value.trim() === "") throw mustBe("a text that is not empty");
  const most = is === "phrasing" || is === "stdin" ? longest[is] : longest.filled;
  if (value.length > most) throw mustBe(`at most ${most} characters`);
  return value;
}
