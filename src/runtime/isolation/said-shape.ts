// Whether a worker's message is one that memoir's part of a worker sends: a plugin shares its thread, and may have bent it.
import type { Said, WireError } from "./wire.ts";

const levels: ReadonlySet<unknown> = new Set(["debug", "info", "warn", "error"]);
const optionalTexts = ["place", "code", "fix", "plugin", "hook"] as const;

/** True for what the host can take as it is. */
export function isSaid(value: unknown): value is Said {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case "done":
      return isNumber(value.id);
    case "failed":
      return isNumber(value.id) && isWireError(value.error);
    case "ask":
      return (
        isNumber(value.ask) &&
        isNumber(value.call) &&
        typeof value.what === "string" &&
        Array.isArray(value.input)
      );
    case "log":
      return levels.has(value.level) && typeof value.message === "string" && isFields(value.fields);
    case "stray":
      return isWireError(value.error) && isNumber(value.before);
    case "exit":
      return isNumber(value.code) && isText(value.place);
    case "pong":
      return isNumber(value.id) && isNumber(value.heapBytes);
    default:
      return false;
  }
}

function isWireError(value: unknown): value is WireError {
  return (
    isRecord(value) &&
    typeof value.name === "string" &&
    typeof value.message === "string" &&
    optionalTexts.every((name) => isText(value[name])) &&
    (value.retryAfterMs === undefined || isNumber(value.retryAfterMs))
  );
}

function isFields(value: unknown): boolean {
  return value === undefined || (isRecord(value) && !Array.isArray(value));
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
