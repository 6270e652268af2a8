// A storage as routes ask it, for tests of what is exported and imported.
import { openRecords } from "../../../../src/records/record-store.ts";
import type { HookInput, HookName } from "../../../../src/sdk/hooks.ts";
import type { Records } from "../../../../src/sdk/model.ts";
import type { StoredRecord } from "../../../../src/sdk/storage.ts";
import type { ServerRuntime } from "../../../../src/server/life/server-runtime.ts";
import { importLines } from "../../../../src/server/memory/transfer/import-lines.ts";
import { exportPage } from "../../../../src/server/operations/transfer.ts";

type ExportFilter = Parameters<typeof exportPage>[1];

export const now = () => Date.UTC(2026, 10, 22, 12);

/** An empty memory that answers as the server's does. */
export async function emptyStorage(forgotten?: (records: Records) => Records) {
  const records = await openRecords(":memory:", now);
  const first = async (name: HookName, input: HookInput<HookName>) => {
    const verb = name.slice("storage.".length);
    return { result: await Reflect.get(records, verb)(input) };
  };
  /** What journal and transcripts were to forget. */
  const buried: string[] = [];
  const runtime = {
    hooks: { first },
    transcripts: { mark() {} },
    withoutForgotten: forgotten ?? ((records: Records) => records),
    forget: async (ids: string[]) => void buried.push(...ids),
  } as unknown as Pick<ServerRuntime, "hooks" | "transcripts" | "withoutForgotten" | "forget">;
  return { runtime, records, buried };
}
export type TestStorage = Awaited<ReturnType<typeof emptyStorage>>;

/** Everything, page by page, with the number of pages. */
export async function exported({ runtime }: TestStorage, filter: ExportFilter = {}) {
  const all: StoredRecord[] = [];
  const forgotten: object[] = [];
  let pages = 1;
  let page = await exportPage(runtime, filter);
  for (; page.next; pages++) {
    all.push(...page.records);
    forgotten.push(...(page.forgotten ?? []));
    page = await exportPage(runtime, filter, structuredClone(page.next));
  }
  forgotten.push(...(page.forgotten ?? []));
  const lines = [
    ...all,
    ...page.records,
    ...forgotten.map((one) => ({ memoir: "forgotten", ...one })),
  ];
  return {
    records: [...all, ...page.records],
    forgotten,
    pages,
    lines: lines.map((one) => JSON.stringify(one)),
  };
}

/** Takes lines in as the command does, in batches of so many. */
export async function imported({ runtime }: TestStorage, lines: readonly string[], atOnce = 200) {
  const total = {
    stored: 0,
    known: 0,
    forgotten: 0,
    errors: [] as Array<{ line: number; message: string }>,
  };
  for (let at = 0; at < lines.length; at += atOnce) {
    const batch = lines.slice(at, at + atOnce).map((text, i) => ({ line: at + i + 1, text }));
    const result = await importLines(runtime, batch, false);
    total.stored += Object.values(result.stored).reduce((sum, count) => sum + count, 0);
    total.known += result.known;
    total.forgotten += result.forgotten;
    total.errors.push(...result.errors);
  }
  return total;
}

/** Lines without ids: what has to be the same after an import. */
export function withoutIds(records: readonly StoredRecord[]): string[] {
  const titles = new Map(
    records.flatMap(({ kind, record }) =>
      kind === "observation" ? [[record.id, `${record.session} ${record.title}`]] : [],
    ),
  );
  return records.map(({ kind, record }) => {
    const { id, ...rest } = record;
    const by =
      "supersededBy" in rest ? { supersededBy: titles.get(String(rest.supersededBy)) } : {};
    return JSON.stringify({
      kind,
      record: { ...(kind === "session" ? { id } : {}), ...rest, ...by },
    });
  });
}
