// A storage of Markdown files: each put is a file for people, with its records as JSON at the end; an index in memory answers.
import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { openRecords, parsePut, type RecordStore, recordHooks } from "memoir/records";
import { definePlugin, type HookInput, type HookOutput } from "memoir/sdk";

/** What a storage is asked to write. */
type Put = HookInput<"storage.put">;

const fence = "\n```json\n";

/** What a person reads; what memoir reads stands in the last fence. */
function markdown({ key, records }: Put): string {
  const parts = [`# ${key}`];
  for (const { title, type, subtitle, facts } of records.observations ?? [])
    parts.push(
      `## ${title}\n_${type}_ ${subtitle}\n${facts.map((fact) => `- ${fact}`).join("\n")}`,
    );
  for (const { request, completed } of records.summaries ?? [])
    parts.push(`## ${request}\n${completed}`);
  return `${parts.join("\n\n")}\n${fence}${JSON.stringify({ key, records })}\n\`\`\`\n`;
}

/** Numbered files are the storage. A put takes the next number, which the file system gives to one writer only. */
async function openFolder(folder: string, now: () => number): Promise<RecordStore> {
  await mkdir(folder, { recursive: true });
  const index = await openRecords(":memory:", now);
  let taken = 0;
  let turn: Promise<unknown> = Promise.resolve();

  /** Takes in what was written since, by whomever. */
  async function catchUp(): Promise<void> {
    const names = (await readdir(folder)).filter((name) => /^\d{8}\.md$/.test(name)).sort();
    for (const name of names.slice(taken)) {
      const text = await readFile(join(folder, name), "utf8");
      await index.put(JSON.parse(text.slice(text.lastIndexOf(fence) + fence.length, -5)));
      taken += 1;
    }
  }

  async function put(request: Put): Promise<HookOutput<"storage.put">> {
    const text = markdown(parsePut(request));
    const draft = join(folder, `.${randomUUID()}`);
    const file = await open(draft, "wx", 0o600);
    await file.writeFile(text).then(() => file.sync());
    await file.close();
    for (;;) {
      const name = `${String(taken + 1).padStart(8, "0")}.md`;
      const failed = await link(draft, join(folder, name)).catch((error) => error);
      if (failed && failed.code !== "EEXIST") throw failed;
      if (failed) await catchUp();
      else break;
    }
    await rm(draft);
    taken += 1;
    return index.put(request);
  }

  /** One call at a time, each over all files there are. A key that is known already comes back as such. */
  const inTurn = (ask: (input: never) => unknown) => (input: never) => {
    const done = turn.then(catchUp).then(() => ask(input));
    turn = done.catch(() => undefined);
    return done;
  };
  const verbs = Object.entries({ ...index, put }).map(([verb, ask]) => [verb, inTurn(ask)]);
  return { ...Object.fromEntries(verbs), close: index.close } as RecordStore;
}

export default definePlugin({
  name: "markdown",
  description: "Keeps memory in Markdown files, one for each piece of work.",
  sdk: 1,
  slot: "storage",
  start: async (ctx) => ({ records: await openFolder(join(ctx.home, "markdown"), ctx.now) }),
  hooks: recordHooks,
  stop: (state) => state?.records.close(),
});
