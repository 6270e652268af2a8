// Ids as others see them: a letter for the kind and the row's number. Sessions go by the client's own id.
import type { RecordKind } from "../sdk/storage.ts";

const letters = { observation: "o", summary: "s", prompt: "p", memory: "m", turn: "t" } as const;
type NumberedKind = keyof typeof letters;
const kinds = new Map<string, NumberedKind>(
  (Object.keys(letters) as NumberedKind[]).map((kind) => [letters[kind], kind]),
);

/** `o12` for the observation in row 12. */
export function idOf(kind: Exclude<RecordKind, "session">, row: number): string {
  return `${letters[kind]}${row}`;
}

/** The kind and row an id means, or undefined when it has not the form of one. */
export function parseId(id: string): { kind: NumberedKind; row: number } | undefined {
  const match = /^([a-z])([1-9]\d{0,15})$/.exec(id);
  const kind = kinds.get(match?.[1] ?? "");
  return kind ? { kind, row: Number(match?.[2]) } : undefined;
}
