// What Endless Mode does when nobody waits: it deletes what is too old and counts sessions; and a closed file stays closed.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { book, sessionUsages } from "../../../src/runtime/endless/books.ts";
import { keepRow, keptSize, packContent } from "../../../src/runtime/endless/kept-rows.ts";
import { createEndlessFile, type EndlessFile } from "../../../src/runtime/endless/open-store.ts";
import { createMeasuring } from "../../../src/runtime/endless/switch.ts";
import { clientEvent } from "../../support/client-events.ts";
import { keepRequest, openEndlessRoom, shop } from "../../support/endless-room.ts";
import { inFolder } from "../../support/in-folder.ts";
import { keptLog } from "../../support/kept-log.ts";
import { busySession } from "../../support/recorded-session.ts";

const day = 86_400_000;
const now = Date.UTC(2026, 10, 20, 12);

test("a look deletes all that is too old, in however many steps, and says how much", async () => {
  const room = await openEndlessRoom();
  try {
    const { endless, log, pass } = room;
    const live = endless.client("live");
    const keep = (beginning: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, at) =>
          live.keep(keepRequest({ toolUseId: `${beginning}${at}`, value: `${beginning}${at}` })),
        ),
      );
    await keep("old", 450);
    pass(29 * day);
    await keep("new", 3);
    pass(2 * day);
    await endless.prune();
    await endless.prune();
    expect((await endless.status()).kept?.references).toBe(3);
    expect(log.lines).toEqual([
      {
        level: "info",
        message: "Old originals of Endless Mode were deleted.",
        fields: { references: 450 },
      },
    ]);
  } finally {
    await room.close();
  }
});

test("four megabytes more bring a look before its time, less does not", async () => {
  const room = await openEndlessRoom({ capture: async (event) => ({ event, failed: [] }) });
  try {
    const { endless, pass } = room;
    const live = endless.client("live");
    const noise = () =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("base64");
    const keep = (toolUseId: string, parts: number) =>
      live.keep(keepRequest({ toolUseId, value: Array.from({ length: parts }, noise) }));
    await keep("old", 1);
    pass(31 * day);
    await keep("less", 50);
    await Bun.sleep(20);
    expect((await endless.status()).kept?.references).toBe(2);
    await keep("more", 50);
    while ((await endless.status()).kept?.references !== 2) await Bun.sleep(5);
    expect(await live.kept("old", "output")).toBeUndefined();
  } finally {
    await room.close();
  }
});

/** So many originals of their own, kept so long ago. */
async function keep(file: EndlessFile, toolUseId: string, keptAt: number): Promise<void> {
  const packed = packContent({ stdout: toolUseId });
  await file.write((db) => {
    if (packed) keepRow(db, "live", keepRequest({ toolUseId }), packed, keptAt);
  });
}

function withFile(work: (file: EndlessFile, folder: string) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const file = createEndlessFile(join(folder, "endless.db"), { now: () => now, log: keptLog() });
    try {
      await work(file, folder);
    } finally {
      await file.close();
    }
  });
}

test("what was left out for the first time while its file was read parts the turns all the same", () =>
  withFile(async (file, folder) => {
    const start = now - day;
    const transcriptPath = await busySession("shop-1", "/gone/shop", start, 2).write(folder);
    let asked = 0;
    const racing: EndlessFile = {
      ...file,
      async read(look) {
        asked++;
        const kept = {
          strategy: "live",
          kind: "kept",
          session: "shop-1",
          at: start + 30_000,
        } as const;
        if (asked === 1) await file.write((db) => book(db, [kept]));
        return file.read(look);
      },
    };
    const strategies = { everywhere: ["live"], projects: {}, sessions: {}, holdOut: 0 };
    const measure = createMeasuring(racing, {
      ...{ now: () => now, folders: [folder], session: () => ({ project: shop }) as never },
      config: () => strategies as never,
    });
    await measure(clientEvent("Stop", { session: "shop-1", transcriptPath, time: now }));
    const [usage] = (await file.read((db) => sessionUsages(db, { since: 0 }))) ?? [];
    expect(usage?.firstReducedAt).toBe(start + 30_000);
    expect(usage?.before.turns).toBeGreaterThan(0);
    expect(usage?.after.turns).toBe(usage?.before.turns ?? 0);
  }));

test("a file that was closed is opened for nobody, and may be closed again", () =>
  withFile(async (file) => {
    await keep(file, "t1", now);
    await file.close();
    await file.close();
    const refused = { code: "endless_unwritable", message: "It is closed." };
    await expect(file.write(() => 1)).rejects.toMatchObject(refused);
    await expect(file.read(() => 1)).rejects.toBeDefined();
  }));

test("what is being written when a file is closed is in it", () =>
  withFile(async (file, folder) => {
    await keep(file, "t1", now);
    const late = keep(file, "late", now);
    await file.close();
    await late;
    const path = join(folder, "endless.db");
    const again = createEndlessFile(path, { now: () => now, log: keptLog() });
    expect((await again.read(keptSize))?.references).toBe(2);
    await again.close();
  }));
