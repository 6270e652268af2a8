// Goes over every text that a home keeps: finds what today's rules take out of it and, where asked to, takes it out.
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { privateKeyRule } from "../privacy/redact/private-keys.ts";
import { isRandom } from "../privacy/redact/values.ts";
import { mapEvent, redactDeep, redactText, type TellFound } from "../privacy/redact.ts";
import type { ClientEvent } from "../sdk/events.ts";
import { mapLeaves } from "../text/text.ts";
import { undoFolder } from "../transcript/undo-log.ts";
import { filesBelow, type Home, isName, parsed, type Stored, storesOf } from "./places.ts";

/** Secrets of one kind that one text holds. */
interface StoredSecret {
  rule: string;
  kind: string;
  /** `memory.db`, or a file's path below the home. */
  place: string;
  /** A record's id, an event's number, a tool use. */
  id: string;
  count: number;
}

/** What was found, or taken out. */
export interface StoredSecrets {
  found: StoredSecret[];
  /** Epoch ms: copies that were made before hold none of it. */
  since: number;
  /** Databases that could not be read, each with the reason. */
  unread: Array<{ place: string; why: string }>;
}

export interface GoOver extends Home {
  /** Takes it out; the caller holds the home's lock. */
  removes: boolean;
  /** Parts of secrets that were found before; more are added. */
  known: KnownSecrets;
  /** Called with every row and file that was read. */
  progress?(about: string): void;
}

/**
 * Files first, then the databases, the journal last, each in one step: what is killed in between has left the texts by
 * which cut ones are known, and the same call again ends it.
 */
export async function goOverStored(how: GoOver): Promise<StoredSecrets> {
  const result: StoredSecrets = { found: [], since: Number.POSITIVE_INFINITY, unread: [] };
  for await (const { place, open } of storesOf(how))
    try {
      const store = await open(how.removes);
      try {
        for (const one of store.texts()) {
          how.progress?.(one.about);
          clean(one, how, result);
        }
        if (how.removes) await store.write();
      } finally {
        store.close?.();
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      result.unread.push({ place, why });
    }
  return result;
}

/** Puts what is left of a text in its place, and adds what it held to the result. */
function clean(one: Stored, { known }: GoOver, result: StoredSecrets): void {
  const counts = new Map<string, StoredSecret>();
  const tell: TellFound = ({ rule, kind }) => {
    const key = `${rule} ${kind}`;
    const secret = counts.get(key) ?? { rule, kind, place: one.place, id: one.id(), count: 0 };
    counts.set(key, secret);
    if (secret.count++ === 0) result.found.push(secret);
    result.since = Math.min(result.since, one.time);
  };
  const { value, kind } = one;
  const json = typeof value === "string" && kind !== "value" ? parsed(value) : undefined;
  const byRules = redact(json ?? value, json === undefined ? "value" : kind, (found) => {
    known.add(found);
    tell(found);
  });
  const left = mapLeaves(byRules, {
    text: (text) => known.without(text, (of) => tell({ kind: of, rule: repeatedRule, secret: "" })),
  });
  if (counts.size === 0) return;
  const indent = typeof value === "string" && value.includes("\n") ? 2 : undefined;
  one.put(json === undefined ? left : JSON.stringify(left, null, indent));
}

function redact(value: unknown, kind: Stored["kind"], tell: TellFound): unknown {
  if (kind === "event")
    return mapEvent(value as ClientEvent, (field) => redactDeep(field, tell).value);
  if (kind === "text") return redactFields(value, tell);
  return typeof value === "string" ? redactText(value, tell).text : redactDeep(value, tell).value;
}

/** Every field but those that name things. */
function redactFields(value: unknown, tell: TellFound): unknown {
  if (Array.isArray(value) && value.some((one) => typeof one === "object"))
    return value.map((one) => redactFields(one, tell));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return redactDeep(value, tell).value;
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => {
    if (isName(name)) return [name, field];
    if (typeof field === "object") return [name, redactFields(field, tell)];
    return [name, (redactDeep({ [name]: field }, tell).value as Record<string, unknown>)[name]];
  });
  return Object.fromEntries(fields);
}

/** The rule of what is found by what another text says of it. */
export const repeatedRule = "repeated";

/** Parts of keys, and random secrets: where a text was cut, no rule can see that what is left of a key is one. */
interface KnownSecrets {
  add(found: { kind: string; rule: string; secret: string }): void;
  isEmpty(): boolean;
  /** The text without them. */
  without(text: string, tell: (kind: string) => void): string;
}

/** So many characters of a key in a row are known wherever they are. */
const partLength = 8;

export function createKnownSecrets(): KnownSecrets {
  const parts = new Map<string, string>();
  return {
    isEmpty: () => parts.size === 0,
    add({ kind, rule, secret }) {
      if (rule !== privateKeyRule.id) {
        if (isRandom(secret)) parts.set(secret, kind);
        return;
      }
      for (const [run] of secret.matchAll(/[\w+/=-]{20,}/g)) {
        for (let at = 0; at + partLength <= run.length; at++) {
          const part = run.slice(at, at + partLength);
          if (new Set(part).size > 4) parts.set(part, kind);
        }
      }
    },
    without(text, tell) {
      if (parts.size === 0) return text;
      return text.replace(/[\w+/=-]{8,}/g, (run) => {
        let kind = parts.get(run);
        for (let at = 0; kind === undefined && at + partLength <= run.length; at++)
          kind = parts.get(run.slice(at, at + partLength));
        if (kind === undefined) return run;
        tell(kind);
        return `[redacted:${kind}]`;
      });
    },
  };
}

/** Folders of undo logs, relative to the home, that hold secrets: they are the client's own transcripts, byte for byte. */
export async function undoLogsWithSecrets(home: string, known: KnownSecrets): Promise<string[]> {
  const folder = undoFolder(home);
  const sessions = new Set<string>();
  for (const path of await filesBelow(folder)) {
    if (!path.endsWith(".json.gz")) continue;
    const session = relative(folder, path).split(/[\\/]/)[0] ?? "";
    try {
      const { splices = [] } = JSON.parse(gunzipSync(await readFile(path)).toString()) as {
        splices?: Array<[number, number, string]>;
      };
      for (const [, , stood] of splices) {
        const text = Buffer.from(stood, "base64").toString();
        let holds = redactText(text).count > 0;
        known.without(text, () => {
          holds = true;
        });
        if (holds) sessions.add(relative(home, join(folder, session)));
      }
    } catch {
      // One that is damaged gives nothing back either.
    }
  }
  return [...sessions];
}
