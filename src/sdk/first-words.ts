// What a record is called in a list of any. Apart from the contract: only memoir itself asks for it.
import type { StoredRecord } from "./storage.ts";

/** Its title, or what it says first. */
export function firstWords(stored: StoredRecord): string {
  switch (stored.kind) {
    case "observation":
    case "session":
      return stored.record.title;
    case "summary":
      return stored.record.completed || stored.record.request;
    case "prompt":
      return stored.record.text;
    case "memory":
      return stored.record.content;
    case "turn":
      return stored.record.pieces[0]?.text ?? "";
  }
}
