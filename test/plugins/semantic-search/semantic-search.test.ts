// What is found by its meaning, what is sent to the endpoint, and what becomes of it when the endpoint misbehaves.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EmbeddingFault } from "../../support/embedding-server.ts";
import { config, eventually, type Memory, said, withMemory } from "./memory.ts";

const invoice = "The invoice now carries the amount that is due.";
const login = "The password form redirects after it was sent.";
const cache = "Eviction runs every hour and drops what is stale.";

const keepThree = ({ keep }: Memory) =>
  keep(said("s1", invoice), said("s2", login), said("s3", cache));

/** Turns by the number of their passages' vectors. */
function kept(home: string): Record<string, number> {
  const db = new Database(join(home, "semantic-search.db"), { readonly: true });
  try {
    const rows = db
      .query<{ turn: string; n: number }, []>(
        "SELECT turn, count(*) AS n FROM passages WHERE length(vector) > 0 GROUP BY turn",
      )
      .all();
    return Object.fromEntries(rows.map(({ turn, n }) => [turn, n]));
  } finally {
    db.close();
  }
}

const hasVectors = ({ home }: Memory, turns: number) =>
  eventually(() => Object.keys(kept(home)).length === turns);

test.each(["openai", "ollama"])("%s: other words for the same thing find it", (api) =>
  withMemory(
    async (memory) => {
      const [bills = "", passwords = "", stale = ""] = await keepThree(memory);
      await hasVectors(memory, 3);
      const { find, server } = memory;
      for (const [question, answer] of [
        ["who pays the billing bill", bills],
        ["authentication of credentials", passwords],
        ["memory pages", stale],
      ] as const) {
        expect((await find(question))[0]).toBe(answer);
        // The words alone find nothing of it.
        expect(await find(question, { swift: true })).toEqual([]);
      }
      const path = api === "ollama" ? "/api/embed" : "/v1/embeddings";
      expect(new Set(server.requests.map((request) => request.path))).toEqual(new Set([path]));
      expect(server.requests[0]?.headers.get("authorization")).toBeNull();
    },
    (server) => (api === "ollama" ? { api, baseURL: server.url } : {}),
  ),
);

test("what both say comes first, and each hit says how near it is", () =>
  withMemory(async (memory) => {
    const [bills = "", , , both = ""] = await memory.keep(
      said("s1", invoice),
      said("s2", login),
      said("s3", cache),
      said("s4", "A payment that was declined leaves the bill open."),
    );
    await hasVectors(memory, 4);
    const found = await memory.storage.search({
      text: "declined bill for billing",
      kinds: ["turn"],
      explain: true,
    });
    expect(found.map(({ id }) => id).slice(0, 2)).toEqual([both, bills]);
    expect(found[0]?.why?.words.map(({ word }) => word)).toContain("declined");
    expect(found[0]?.why?.likeness).toBeGreaterThan(0.5);
    expect(found[1]?.excerpt).toBe(invoice);
    expect(found[1]?.score).toBeLessThan(found[0]?.score ?? 0);
  }));

test("a turn is as near to several phrasings as to each of them on the average", () =>
  withMemory(async (memory) => {
    await memory.keep(said("s1", invoice), said("s2", login));
    await hasVectors(memory, 2);
    const likeness = async (text: string, ...also: string[]) => {
      const query = { text, also, kinds: ["turn" as const], explain: true };
      const hits = await memory.storage.search(query);
      return hits.find(({ session }) => session === "s1")?.why?.likeness ?? 0;
    };
    const [bill, amount] = ["the bill for billing", "payment of an amount"] as const;
    const mean = ((await likeness(bill)) + (await likeness(amount))) / 2;
    expect(mean).toBeGreaterThan(0.2);
    expect(await likeness(bill, amount)).toBeCloseTo(mean, 2);
    expect(await likeness(bill)).not.toBeCloseTo(await likeness(amount), 2);
  }));

test("filters narrow, and pages of one question are one list", () =>
  withMemory(async (memory) => {
    const day = 86_400_000;
    const start = Date.UTC(2026, 0, 1);
    const ids = await memory.keep(
      ...Array.from({ length: 12 }, (_, i) =>
        said(`s${i}`, `${invoice} It is number ${i}.`, {
          startedAt: start + i * day,
          time: start + i * day,
          files: [{ path: i === 3 ? "src/old.ts" : "src/new.ts", changed: true }],
        }),
      ),
    );
    await hasVectors(memory, 12);
    const question = "billing and bills";
    const [fourth = "", fifth = ""] = ids.slice(3);
    expect(await memory.find(question, { file: "src/old.ts" })).toEqual([fourth]);
    expect(await memory.find(question, { session: "s4" })).toEqual([fifth]);
    expect(await memory.find(question, { since: start + 3 * day, until: start + 4 * day })).toEqual(
      [fourth],
    );
    expect(await memory.find(question, { project: "shop" })).toHaveLength(12);
    expect(await memory.find(question, { project: "nobody's" })).toEqual([]);
    expect(await memory.find(question, { client: "another" })).toEqual([]);
    const pages = [
      ...(await memory.find(question, { limit: 5 })),
      ...(await memory.find(question, { limit: 5, offset: 5 })),
      ...(await memory.find(question, { limit: 5, offset: 10 })),
    ];
    expect(pages.toSorted()).toEqual(ids.toSorted());
  }));

test("turns from before are caught up with, and a restart embeds nothing twice", () =>
  withMemory(
    async (memory) => {
      await keepThree(memory);
      expect(memory.server.requests).toEqual([]);
      await memory.restart(config(memory.server));
      await memory.caughtUp();
      expect(Object.keys(kept(memory.home))).toHaveLength(3);
      const asked = memory.server.requests.length;
      await memory.restart();
      await memory.restart(config(memory.server));
      await memory.keep(said("s4", "A rollback of the cluster."));
      await hasVectors(memory, 4);
      const texts = memory.server.requests.slice(asked).flatMap((request) => request.texts);
      expect(texts).toEqual(["Have a look, please, and tell me.", "A rollback of the cluster."]);
    },
    () => ({ baseURL: undefined }),
  ));

test.each<[string, object]>([
  ["another model", { model: "meaning-2" }],
  ["another length", { dimensions: 256 }],
  ["another prefix", { textPrefix: "passage: " }],
])("%s embeds everything anew", (_, changed) =>
  withMemory(async (memory) => {
    await keepThree(memory);
    await hasVectors(memory, 3);
    memory.server.requests.length = 0;
    await memory.restart(config(memory.server, changed));
    expect(kept(memory.home)).toEqual({});
    await memory.caughtUp();
    expect(Object.keys(kept(memory.home))).toHaveLength(3);
    const texts = memory.server.requests.flatMap((request) => request.texts).join("\n");
    expect(texts).toContain(invoice);
    expect(await memory.find("who pays the billing bill")).toHaveLength(1);
  }),
);

test("a turn that changed is embedded where it changed; one that goes on waits", () =>
  withMemory(async (memory) => {
    const now = Date.now();
    const [id = ""] = await memory.keep(said("s1", login));
    await hasVectors(memory, 1);
    memory.server.requests.length = 0;
    const open = said("s2", cache, { end: "open", startedAt: now, time: now });
    await memory.keep(open, said("s1", invoice));
    await eventually(() => memory.server.requests.length > 0);
    expect(memory.server.requests.flatMap(({ texts }) => texts)).toEqual([invoice]);
    expect((await memory.find("who pays the billing bill"))[0]).toBe(id);
    await eventually(() => kept(memory.home)[id] === 2);
    expect(await memory.find("authentication of credentials")).toEqual([]);
  }));

test("a forgotten turn leaves no trace, also where its vectors are still on their way", () =>
  withMemory(async (memory) => {
    const [id = "", other = ""] = await keepThree(memory);
    await hasVectors(memory, 3);
    const before = await bytesOf(memory.home, id);
    expect(before.length).toBeGreaterThan(0);
    await memory.storage.delete({ ids: [id] });
    expect(kept(memory.home)).not.toHaveProperty(id);
    expect(await memory.find("who pays the billing bill")).not.toContain(id);
    for (const name of await readdir(memory.home)) {
      if (!name.startsWith("semantic-search.db")) continue;
      const bytes = await readFile(join(memory.home, name));
      for (const vector of before) expect(bytes.includes(vector)).toBe(false);
    }
    expect(kept(memory.home)).toHaveProperty(other);
    let isAsked = false;
    memory.server.before(async () => {
      if (isAsked) return;
      isAsked = true;
      await memory.storage.delete({ ids: [last] });
    });
    const putting = memory.keep(said("s9", "A deploy to the cluster that was undone."));
    const [last = ""] = await putting;
    await eventually(() => isAsked);
    await memory.keep(said("s8", "The release went to the cluster."));
    await hasVectors(memory, 3);
    expect(kept(memory.home)).not.toHaveProperty(last);
  }));

/** Vectors of the turn alone, as they stand in the file. */
async function bytesOf(home: string, turn: string): Promise<Uint8Array[]> {
  const db = new Database(join(home, "semantic-search.db"), { readonly: true });
  try {
    return db
      .query<{ vector: Uint8Array }, [string]>(
        `SELECT vector FROM passages WHERE turn = ? AND hash NOT IN
         (SELECT hash FROM passages GROUP BY hash HAVING count(*) > 1)`,
      )
      .all(turn)
      .map(({ vector }) => vector);
  } finally {
    db.close();
  }
}

const faults: Array<[string, EmbeddingFault]> = [
  ["a page of HTML", "html"],
  ["a vector too few", "one-missing"],
  ["a vector too many", "one-twice"],
  ["no number", "not-a-number"],
  ["no direction", "all-zero"],
  ["a redirect", "redirect"],
  ["another length", "other-length"],
  ["a longer one", "too-long"],
  ["trouble", { status: 503 }],
  ["a key that is wanted", { status: 401 }],
  ["too many calls", { status: 429 }],
];

test.each(faults)("%s: words go on finding, and nothing of it is kept", (_, fault) =>
  withMemory(async (memory) => {
    await keepThree(memory);
    await hasVectors(memory, 3);
    memory.server.meet(fault);
    const [id = ""] = await memory.keep(said("s4", "A rollback of the cluster."));
    await eventually(() =>
      memory.log.lines.some(({ message }) => message === "Turns wait for their vectors."),
    );
    expect(await memory.find("rollback of something")).toEqual([id]);
    expect(Object.keys(kept(memory.home))).toHaveLength(3);
  }),
);

test("an endpoint that answers never, or is gone, keeps no search waiting", () =>
  withMemory(
    async (memory) => {
      await keepThree(memory);
      await hasVectors(memory, 3);
      memory.server.meet("hang");
      const [id = ""] = await memory.find("invoice of the bill");
      expect(await memory.find("invoice of the bill")).toEqual([id]);
      await memory.server.stop();
      expect(await memory.find("invoice of a payment")).toEqual([id]);
    },
    () => ({ queryMs: 20 }),
  ));

test("a text that the endpoint refuses is left out; the others are kept", () =>
  withMemory(async (memory) => {
    await keepThree(memory);
    await hasVectors(memory, 3);
    memory.server.meet({ status: 400, refuses: /cursed/ });
    await memory.keep(
      said("s4", "This cursed passage cannot be read."),
      said("s5", "A rollback of the cluster."),
    );
    await eventually(() => memory.log.lines.some(({ message }) => message.includes("in no form")));
    await eventually(() => Object.keys(kept(memory.home)).length === 5);
    expect(Object.values(kept(memory.home)).toSorted()).toEqual([1, 2, 2, 2, 2]);
  }));

test("only redacted text goes out, and only to the endpoint; without one nothing does", () =>
  withMemory(
    async (memory) => {
      const secret = ["ghp", "0123456789abcdefghijklmnopqrstuvwxyz"].join("_");
      await memory.keep(said("s1", `${invoice} The token is ${secret}.`));
      expect(await memory.find("billing bills of payment")).toEqual([]);
      expect(memory.server.requests).toEqual([]);
      await memory.restart(config(memory.server));
      await memory.caughtUp();
      await memory.find(`billing bills with ${secret} <private>not this</private>`);
      const sent = memory.server.requests.flatMap(({ texts }) => texts).join("\n");
      expect(sent).toContain("invoice");
      expect(sent).toContain("billing bills");
      expect(sent).not.toContain(secret);
      expect(sent).not.toContain("not this");
    },
    () => ({ baseURL: undefined }),
  ));

test("a day's tokens are not gone beyond; a hook, a phrase and a single name ask nobody", () =>
  withMemory(
    async (memory) => {
      await memory.keep(said("s1", invoice));
      await eventually(() =>
        memory.log.lines.some(({ message }) => message === "Turns wait for their vectors."),
      );
      await memory.find("what the billing does", { swift: true });
      await memory.find('"what the billing does"');
      await memory.find("refreshToken");
      await memory.find("what the billing does", { level: "facts", kinds: ["observation"] });
      expect(memory.server.requests).toEqual([]);
    },
    () => ({ tokensPerDay: 5 }),
  ));

test("the status tells by whom, how far it is, and why words alone find", () =>
  withMemory(async (memory) => {
    const { server, storage, find } = memory;
    await keepThree(memory);
    await hasVectors(memory, 3);
    const meaning = async () => (await storage.stats({})).meaning;
    const model = `meaning-1 at ${new URL(server.url).host}`;
    expect(await meaning()).toEqual({ model, turns: 3 });
    server.meet({ status: 503 });
    await find("who pays the billing bill");
    await eventually(() =>
      memory.log.lines.some(({ message }) => message.startsWith("A question")),
    );
    expect(await meaning()).toMatchObject({ model, turns: 3 });
    expect((await meaning())?.trouble).toContain("503");
    await memory.restart({});
    expect(await meaning()).toEqual({
      ...{ model: "", turns: 0 },
      trouble: "semantic-search lacks baseURL or model",
    });
  }));
