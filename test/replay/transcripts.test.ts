// Every recorded transcript parses, and both ways of counting agree. Skips when the recordings are not there.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import { inFolder } from "../support/in-folder.ts";
import { said, transcriptScript, used } from "../support/transcript-lines.ts";
import { agreedFigures, countWithJsonParse, countWithLibrary } from "./count-transcripts.ts";

const root = join(import.meta.dirname, "../../../shared/data/transcripts");

test.skipIf(!existsSync(root))("recorded transcripts are counted alike", async () => {
  const { sessions, unreadable } = await discoverTranscripts(root);
  const paths = sessions.flatMap(({ main, agents }) => [...(main ? [main] : []), ...agents]);
  for (const { path, bytes } of paths) {
    const independent = agreedFigures(await countWithJsonParse(path));
    const counts = await countWithLibrary(path);
    expect([path, agreedFigures(counts)]).toEqual([path, independent]);
    expect(counts.bytes).toBeWithin(bytes - 2, bytes + 1);
  }
  expect(unreadable).toEqual([]);
  expect(paths.length).toBeGreaterThan(40);
});

test("the count finds what is there", async () => {
  const script = transcriptScript();
  script.user("Go");
  script.assistant("m1", [said("a"), used("t1")], { input_tokens: 5, output_tokens: 1 });
  script.assistant("m1", [used("t2")], { input_tokens: 5, output_tokens: 7 });
  script.result("t2", "x");
  await inFolder(async (folder) => {
    const path = join(folder, "s.jsonl");
    await Bun.write(path, `${script.text()}42\n{torn`);
    for (const count of [countWithLibrary, countWithJsonParse])
      expect(agreedFigures(await count(path))).toEqual({
        files: 1,
        toolUses: 2,
        results: 1,
        matched: 1,
        broken: 2,
        messages: 1,
        tokens: { input: 5, output: 7, cacheRead: 0, cacheWrite: 0 },
        types: { user: 2, assistant: 2 },
        weighed: 12,
      });
  });
});
