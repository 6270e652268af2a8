// One colour for each type of record, the same everywhere.
import type { Colors } from "../terminal/terminal.ts";

/** The word in its type's colour; words nobody knows stay plain. */
export function paintType(type: string, colors: Colors): string {
  const paints: Record<string, (text: string) => string> = {
    decision: colors.magenta,
    bugfix: colors.red,
    feature: colors.green,
    refactor: colors.blue,
    discovery: colors.yellow,
  };
  const paint = Object.hasOwn(paints, type) ? paints[type] : undefined;
  return paint ? paint(type) : type;
}
