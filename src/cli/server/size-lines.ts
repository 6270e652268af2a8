// `memoir status`'s table of sizes.
import type { BoundedSize } from "../../health/sizes.ts";
import { columns, size } from "../terminal/layout.ts";

/** The lines below `sizes`. */
export function sizeLines(sizes: readonly BoundedSize[], width?: number): string[] {
  return columns(
    sizes.map(({ name, bytes, bound }) => [name, size(bytes), bound]),
    width,
  );
}
