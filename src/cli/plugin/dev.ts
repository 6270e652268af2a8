// `memoir plugin dev`: placeholder until the replay stands.

import { MemoirError } from "../../sdk/errors.ts";
import type { Terminal } from "../terminal.ts";

export interface DevOptions {
  transcript?: string;
  recorded?: boolean;
  once?: boolean;
  json?: boolean;
}

export async function devPlugin(
  _name: string | undefined,
  _options: DevOptions,
  _terminal: Terminal,
): Promise<number> {
  throw new MemoirError("usage", "Not there yet.");
}
