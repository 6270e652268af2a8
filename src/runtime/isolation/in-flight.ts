// Who is at work right now, in a file of fixed size: what is left in it after an unclean end names the suspects.
import { Buffer } from "node:buffer";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import process from "node:process";

/** Somebody who was at work when the process ended. */
interface LeftOver {
  plugin: string;
  hook: string;
  /** What it was given; empty where that has no key. */
  key: string;
  /** The process was ended from inside while it alone was at work. */
  certain: boolean;
}

interface InFlight {
  /** Notes a call; gives what takes the note back. Costs a few microseconds; nothing is flushed, since the system outlives the process. */
  note(plugin: string, hook: string, key: string): () => void;
  /** The end is wanted; what is still noted blames nobody. */
  close(): void;
}

const slots = 32;
const slotBytes = 192;

/** Reads what an earlier process left. */
export function readLeftOver(path: string): LeftOver[] {
  let all: Buffer;
  try {
    all = readFileSync(path);
  } catch {
    return [];
  }
  const found: LeftOver[] = [];
  for (let at = 0; at < all.length; at += slotBytes) {
    const text = all.toString("utf8", at, at + slotBytes).trimEnd();
    const [plugin = "", hook = "", key = "", mark = ""] = text.split("\t");
    if (plugin && hook) found.push({ plugin, hook, key, certain: mark === "exit" });
  }
  return found;
}

/** Opens the file anew, empty. Without one (a full disk) nothing is noted. */
export function openInFlight(path: string): InFlight {
  let file: number | undefined;
  try {
    file = openSync(path, "w", 0o600);
    writeSync(file, Buffer.alloc(slots * slotBytes, " "), 0, slots * slotBytes, 0);
  } catch {
    file = undefined;
  }
  const free = Array.from({ length: slots }, (_, at) => slots - 1 - at);
  const noted = new Map<number, string>();

  function put(slot: number, text: string): void {
    if (file === undefined) return;
    const bytes = Buffer.alloc(slotBytes, " ");
    bytes.write(text);
    try {
      writeSync(file, bytes, 0, slotBytes, slot * slotBytes);
    } catch {
      // A disk without room: the next note may fit.
    }
  }

  /** `process.exit` by a plugin runs this; a kill does not. */
  function onExit(): void {
    const [only] = noted;
    if (noted.size !== 1 || !only) return;
    put(only[0], `${only[1]}\texit`);
  }
  process.on("exit", onExit);

  return {
    note(plugin, hook, key) {
      const slot = free.pop();
      if (slot === undefined) return () => {};
      const text = `${plugin}\t${hook}\t${key}`;
      noted.set(slot, text);
      put(slot, text);
      return () => {
        if (!noted.delete(slot)) return;
        put(slot, "");
        free.push(slot);
      };
    },
    close() {
      process.off("exit", onExit);
      for (const slot of noted.keys()) put(slot, "");
      noted.clear();
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
