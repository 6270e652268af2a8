// A terminal for tests: keeps what is printed, has no colours, and answers questions as it is told.
import pc from "picocolors";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";

/** A terminal and what was printed to it. */
export interface PlainTerminal extends Terminal {
  out: string[];
  err: string[];
}

/** Made anew for each call of a command. */
export function plainTerminal(settings: Partial<Terminal> = {}): PlainTerminal {
  const out: string[] = [];
  const err: string[] = [];
  return {
    out,
    err,
    print: (text) => out.push(text),
    warn: (text) => err.push(text),
    colors: pc.createColors(false),
    width: undefined,
    interactive: false,
    confirm: () => Promise.reject(new Error("nobody is there to be asked")),
    ask: () => Promise.reject(new Error("nobody is there to be asked")),
    secret: () => Promise.reject(new Error("nobody is there to be asked")),
    now: Date.now,
    env: {},
    cwd: "/",
    platform: process.platform,
    ...settings,
  };
}
