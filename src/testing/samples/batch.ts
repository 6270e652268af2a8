// Batches for strategies that ask a model: a small session of the shop, and odd tool uses on demand.
import type { ObservationBatch, ToolUse } from "../../sdk/work.ts";

const time = Date.UTC(2026, 10, 20, 14, 5);
const root = "/home/ada/shop";

/** A tool use of the shop session; a file is read unless `part` says otherwise. */
export function sampleUse(id: string, part: Partial<ToolUse> = {}): ToolUse {
  return {
    id,
    name: "Read",
    input: { file_path: `${root}/src/cart.ts` },
    response: { file: { content: "export const totalOf = (lines) => lines.length;\n".repeat(12) } },
    time,
    cwd: root,
    ...part,
  };
}

/** A bug found, changed and tested, as the tools of the client tell it. */
export const fixOfCart: ToolUse[] = [
  sampleUse("t1", {
    durationMs: 12,
    context: {
      userIntent: "The cart total is wrong when a voucher is applied twice. Fix it.",
      reasoning: "The voucher is probably subtracted in both totalOf and applyVoucher.",
      turns: [
        { role: "user", text: "Let us look at the cart today." },
        { role: "assistant", text: "Sure, which part?" },
      ],
      branch: "fix/voucher",
    },
  }),
  sampleUse("t2", {
    name: "Edit",
    input: {
      file_path: `${root}/src/cart.ts`,
      old_string: "return sum - voucher.amount;",
      new_string: "return voucher.used ? sum : sum - voucher.amount;",
    },
    response: {
      filePath: `${root}/src/cart.ts`,
      originalFile: "x".repeat(5_000),
      structuredPatch: [
        {
          oldStart: 10,
          newStart: 10,
          lines: [
            "-return sum - voucher.amount;",
            "+return voucher.used ? sum : sum - voucher.amount;",
          ],
        },
      ],
    },
    time: time + 60_000,
  }),
  sampleUse("t3", {
    name: "Bash",
    input: { command: "bun test test/cart.test.ts && echo done" },
    response: { stdout: "3 pass\n0 fail\nif (a < b && c) { return `&lt;` }", stderr: "" },
    time: time + 120_000,
  }),
];

/** The batch of these tool uses under prompt 1. */
export function sampleBatch(
  toolUses: ToolUse[],
  part: Partial<ObservationBatch> = {},
): ObservationBatch {
  return {
    key: "batch-1",
    session: {
      id: "5f3a",
      client: "claude-code",
      project: { id: "github.com/acme/shop", name: "shop", root },
    },
    prompt: { number: 1, text: "The cart total is wrong when a voucher is applied twice. Fix it." },
    toolUses,
    waiting: false,
    ...part,
  };
}
