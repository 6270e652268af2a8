// One line that says how far work is, drawn over itself.
import process from "node:process";
import type { Terminal } from "./terminal.ts";

const drawEveryMs = 100;

interface DrawnLine {
  /** Draws the text, now and then: `text` is asked only when it is. */
  show(text: () => string): void;
  /** Takes the line away. */
  end(): void;
}

/** Draws nothing where nobody watches, and for programs. */
export function drawnLine({ width, now }: Terminal, { json }: { json?: boolean }): DrawnLine {
  const draws = width !== undefined && !json;
  let drawnAt = 0;
  const draw = (text: string) => process.stdout.write(`\r\u001b[2K${text}`);
  return {
    show(text) {
      if (!draws || now() - drawnAt < drawEveryMs) return;
      drawnAt = now();
      draw(text());
    },
    end() {
      if (drawnAt > 0) draw("");
    },
  };
}
