// A case's output in the shape that the client gives its tool's results.
import { shapeOf } from "../../replay/endless-shape.ts";
import type { EndlessCase } from "./cases.ts";

/** The structured result. */
export function shapeFor({ tool, input, output }: EndlessCase): unknown {
  if (tool === "Read") {
    const lines = output.split("\n");
    const file = { filePath: input.file_path, content: output, startLine: 1 };
    return {
      type: "text",
      file: { ...file, numLines: lines.length, totalLines: lines.length },
    };
  }
  const id = "toolu_01needle";
  const use = { kind: "use", id, tool, input, text: "", request: 0 } as const;
  return shapeOf(use, {
    kind: "result",
    id,
    text: output,
    isError: false,
    structured: undefined,
  });
}
