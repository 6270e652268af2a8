// `<private>…</private>`: what a person does not want remembered. Nothing between the tags is kept.
import { mapLeaves, someText } from "../text/deep.ts";
import {
  compileTag,
  hasTag,
  mayBeTorn,
  mayHoldTag,
  stripTagged,
  tornTag,
  unpaired,
} from "./tagged.ts";

const tag = compileTag("private", { strict: true });

/** Stands for a text that was private as a whole. */
export const privateText = "[private]";

/** True when the text holds an opening or closing `private` tag, plain or escaped. */
export function hasPrivate(text: string): boolean {
  return hasTag(text, tag);
}

/**
 * The text without private content: any case, with attributes, nested, escaped (`&lt;`, `\u003c`). It fails closed:
 * an opening tag without its end takes everything after it, a closing tag without its beginning everything before it.
 */
export function stripPrivate(text: string): string {
  return stripTagged(text, tag);
}

/** Fields that say what a block is; nobody speaks in them. */
const shape: ReadonlySet<string> = new Set(["type", "id", "role", "name", "tool_use_id"]);

function isSaid(key: string | undefined): boolean {
  return key !== undefined && !shape.has(key);
}

/**
 * `stripPrivate` for every text in a JSON value. A tag that opens in one text closes in a later one, be it of the same
 * list, another block or another field: what stands between them goes; so does a text in which a tag ends that began in the one before.
 */
export function stripPrivateDeep(value: unknown): unknown {
  if (!someText(value, (text) => mayHoldTag(text, tag) || mayBeTorn(text))) return value;
  const between = textsBetween(value);
  let at = 0;
  return mapLeaves(value, {
    text: (text, key) => {
      return between.has(at++) && isSaid(key) ? "" : stripPrivate(text);
    },
    spans: hasPrivate,
  });
}

/** Which texts, counted in order, stand between one with an open tag and a later one that closes it. */
function textsBetween(value: unknown): Set<number> {
  const between = new Set<number>();
  let at = 0;
  let opened: number | undefined;
  let last = { at: 0, text: "" };
  mapLeaves(value, {
    text: (text, key) => {
      const torn = isSaid(key) ? tornTag(last.text, text, tag) : undefined;
      if (torn === "opens") {
        opened ??= last.at;
        between.add(at);
      } else if (torn === "closes") {
        for (let inside = opened ?? last.at; inside <= last.at; inside++)
          if (inside !== opened) between.add(inside);
        opened = undefined;
      }
      if (isSaid(key)) last = { at, text };
      const { unopened, unclosed } = unpaired(text, tag);
      if (unopened > 0 && opened !== undefined) {
        for (let inside = opened + 1; inside < at; inside++) between.add(inside);
        opened = undefined;
      }
      if (unclosed > 0) opened ??= at;
      at++;
      return text;
    },
    spans: hasPrivate,
  });
  return between;
}
