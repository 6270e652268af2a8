// `<private>…</private>`: what a person does not want remembered. Nothing between the tags is kept.
import { mapLeaves, someText } from "../text/deep.ts";
import { compileTag, hasTag, mayHoldTag, stripTagged, unpaired } from "./tagged.ts";

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

/**
 * `stripPrivate` for every text in a JSON value. A tag that opens in one text closes in a later one, be it of the same
 * list, another block or another field: what stands between them goes.
 */
export function stripPrivateDeep(value: unknown): unknown {
  if (!someText(value, (text) => mayHoldTag(text, tag))) return value;
  const between = textsBetween(value);
  let at = 0;
  return mapLeaves(value, {
    text: (text, key) => {
      const inside = between.has(at++) && key !== undefined && !shape.has(key);
      return inside ? "" : stripPrivate(text);
    },
    spans: hasPrivate,
  });
}

/** Which texts, counted in order, stand between one with an open tag and a later one that closes it. */
function textsBetween(value: unknown): Set<number> {
  const between = new Set<number>();
  let at = 0;
  let opened: number | undefined;
  mapLeaves(value, {
    text: (text) => {
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
