// An event whose flush failed stands in the journal all the same: its next delivery is a duplicate, and it is worked on.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../../src/home/log.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { createJournal } from "../../../src/runtime/journal/journal.ts";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import { promptEvent } from "../../support/hooks.ts";

let home: string;
let runtime: Runtime;
let isFailing = false;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-flush-"));
  runtime = await createRuntime({
    home,
    log: silentLog,
    createJournal: (path, deps) =>
      createJournal(path, {
        ...deps,
        open: async (file, options) => {
          const db = await openDatabase(file, options);
          const broken = () => Promise.reject(new Error("input/output error"));
          return { ...db, flush: () => (isFailing ? broken() : db.flush()) };
        },
      }),
  });
});
afterEach(async () => {
  await runtime.stop();
  await rm(home, { recursive: true, force: true });
});

async function prompts(): Promise<number> {
  const answer = await runtime.hooks.first("storage.prompts", { order: "oldest" });
  return answer?.result.length ?? 0;
}

test("after a failed flush the redelivered event is worked on, once", async () => {
  const event = promptEvent();
  isFailing = true;
  await expect(runtime.handle(event)).rejects.toMatchObject({ code: "journal_unwritable" });
  isFailing = false;
  expect(await runtime.handle(event)).toMatchObject({ accepted: "duplicate" });
  while ((await prompts()) === 0) await Bun.sleep(10);
  await runtime.drain({ timeoutMs: 5_000 });
  expect(await prompts()).toBe(1);
});
