// JSON that may be anything: parsed without exceptions.
import { isRecord } from "../text/values.ts";

export type Json = Record<string, unknown>;

/** The text's value; undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text's object; undefined when it is no JSON or no object. */
export function parseObject(text: string): Json | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** Epoch ms of an entry's `timestamp`; undefined when it is none. */
export function timeOf(timestamp: unknown): number | undefined {
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The value when it is a string. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
