// Reads one after the other, as an agent makes them, against what it is given: a folder a behaviour, with the file, the steps and what must come out.
import { describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { decide, remember } from "../../../../plugins/endless-live/index.ts";
import type { Policy } from "../../../../plugins/endless-live/policy.ts";
import type { Arrived } from "../../../../plugins/endless-live/reducer.ts";
import { createSeen } from "../../../../plugins/endless-live/seen.ts";
import { expectGolden } from "../../../support/golden.ts";
import { defaultPolicy, withoutLines } from "../cases.ts";

const golden = join(import.meta.dirname, "golden");
/** Files that several cases read; a case names them at its first step. */
const files = join(import.meta.dirname, "files");
const Pair = v.tuple([v.string(), v.string()]);
const Steps = v.array(
  v.strictObject({
    /** One of `files`, and the name that it has in this case. */
    file: v.optional(v.string()),
    as: v.optional(v.string()),
    prompt: v.optional(v.string()),
    read: v.optional(
      v.strictObject({ offset: v.optional(v.number()), limit: v.optional(v.number()) }),
    ),
    /** The agent replaces a text. */
    edit: v.optional(Pair),
    /** Somebody else does. */
    change: v.optional(Pair),
    failedEdit: v.optional(v.boolean()),
    write: v.optional(v.boolean()),
    compacted: v.optional(v.boolean()),
  }),
);

/** A file's text: kept as `.txt`, so that nothing takes it for a source of ours, or as the lines of a golden input. */
async function textOf(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  return path.endsWith(".lines") ? String(withoutLines(JSON.parse(text))) : text;
}

/** Plays a case; the answer of each read, as the agent would be given it. */
async function play(folder: string): Promise<string> {
  const names = await readdir(folder);
  const own = names.find((one) => !["steps.json", "expected.txt"].includes(one)) ?? "";
  const steps = v.parse(Steps, JSON.parse(await readFile(join(folder, "steps.json"), "utf8")));
  const { file, as: name = file ?? own } = steps[0] ?? {};
  let text = await textOf(file === undefined ? join(folder, own) : join(files, file));
  const seen = createSeen();
  const path = `/home/kim/shop/${name.replace(/\.(?:txt|lines)$/, "")}`;
  const made: string[] = [];
  for (const [at, step] of steps.entries()) {
    const mine = seen.of("s1", undefined);
    const use = (tool: string, input: object, response: object): Arrived => ({
      id: `toolu_${at}`,
      tool,
      input: { file_path: path, ...input },
      response,
      recall: `memoir recall toolu_${at}`,
    });
    if (step.prompt !== undefined) seen.addPrompt("s1", step.prompt);
    if (step.compacted) seen.forget("s1", "");
    if (step.failedEdit) mine.addFailure(path);
    if (step.write) remember(use("Write", { content: text }, { filePath: path }), undefined, mine);
    const [from, to] = step.edit ?? step.change ?? [];
    if (from !== undefined && to !== undefined) {
      expect(text).toContain(from);
      text = text.replace(from, to);
    }
    if (step.edit)
      remember(
        use("Edit", { old_string: from, new_string: to }, { filePath: path }),
        undefined,
        mine,
      );
    if (!step.read) continue;
    const all = text.split("\n");
    const { offset = 1, limit = 2_000 } = step.read;
    const lines = all.slice(offset - 1, offset - 1 + limit);
    const read = use("Read", step.read, {
      type: "text",
      file: {
        filePath: path,
        content: lines.join("\n"),
        numLines: lines.length,
        startLine: offset,
        totalLines: all.length,
      },
    });
    const reduced = decide(read, mine, policy);
    remember(read, reduced, mine);
    made.push(
      reduced
        ? `== ${reduced.how}: ${reduced.before.length} → ${reduced.after.length} characters\n${reduced.after}`
        : `== left as it is`,
    );
  }
  return `${made.join("\n")}\n`;
}

/** Sources are cut down for everyone here: the cases are about how. */
const policy: Policy = { ...defaultPolicy, read: { ...defaultPolicy.read, sources: "everyone" } };

describe("reads", async () => {
  const cases = (await readdir(golden)).sort();

  test.each(cases)("%s", async (name) => {
    const made = await play(join(golden, name));
    const last = made.slice(made.lastIndexOf("== "));
    expect(last.startsWith("== left as it is")).toBe(/-stays?$|-whole$/.test(name));
    await expectGolden(join(golden, name, "expected.txt"), made);
  });
});
