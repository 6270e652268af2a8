// The questions to the database. Each is one statement or one short transaction and keeps nothing in the session, so that a
// pooler may stand between; and each has a deadline of its own here: a server that hangs does not answer to any of its own.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import * as v from "valibot";
import { readKey } from "../../src/provider/index.ts";
import {
  type HookInput,
  type HookOutput,
  MemoirError,
  type PluginContext,
} from "../../src/sdk/index.ts";
import { type Address, readAddress } from "./address.ts";
import { prepareTables } from "./tables.ts";

interface Config {
  rootCertificate?: string | undefined;
  timeoutSeconds: number;
}

/** A notice arrives in milliseconds; a pooler swallows it without a word, and then looking has to do. */
const channel = "memoir";
const lookMs = { deaf: 800, heard: 15_000 };

/** What of a pull is read in one statement at most. */
const mostRows = 2_000;

/** As the driver gives a bigint, or an integer. */
const NumberSchema = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.number());
const PlaceSchema = { stream: v.string(), number: NumberSchema };
const HeadSchema = v.object({ ...PlaceSchema, digest: v.string() });
const SizeSchema = v.object({ ...PlaceSchema, size: NumberSchema });
const BatchSchema = v.object({ ...PlaceSchema, bytes: v.instance(Uint8Array) });
const FileSchema = v.object({ name: v.string(), bytes: v.instance(Uint8Array) });
const ThereSchema = v.object({ head: NumberSchema, digest: v.nullable(v.string()) });

/** The rows as the tables have them. Throws `hub_away` where a column is missing, null or of another type: then it is no hub of memoir's. */
function rowsOf<Schema extends v.GenericSchema>(schema: Schema, rows: Iterable<unknown>) {
  const read = v.safeParse(v.array(schema), [...rows]);
  if (read.success) return read.output;
  throw new MemoirError("hub_away", "The database answers what no hub of memoir's does.", {
    fix: "See whether the address is right, and who else writes into its schema `memoir`.",
  });
}

/** Whoever has a role may write into the tables what no memoir does; it is as if it were not there. */
const isStream = ({ stream, number }: { stream: string; number: number }) =>
  /^[\w-]{1,80}$/.test(stream) && Number.isSafeInteger(number) && number > 0;

export type Database = Awaited<ReturnType<typeof openDatabase>>;
export type DatabaseInForce = ReturnType<typeof databaseInForce>;

/** The database at the address as it stands in keys.json at each question: a new password takes effect at once. */
export function databaseInForce(ctx: Pick<PluginContext<Config>, "config" | "home">) {
  let current: { text: string; database: Promise<Database> } | undefined;

  async function close(): Promise<void> {
    const old = current;
    current = undefined;
    // One that never opened has nothing to close.
    await old?.database.then((database) => database.close()).catch(() => undefined);
  }

  async function open(): Promise<Database> {
    const text = await connection(ctx.home);
    if (current?.text === text) return await current.database;
    void close();
    const mine = { text, database: openDatabase(text, ctx.config) };
    current = mine;
    try {
      return await mine.database;
    } catch (error) {
      // What kept it from being read may be put right meanwhile.
      if (current === mine) current = undefined;
      throw error;
    }
  }

  return { open, close };
}

/** Connects at the first question. All questions reject with `hub_away` or `hub_refused`. */
async function openDatabase(text: string, config: Config) {
  const address = await readAddress(text, config.rootCertificate);
  const where = `postgres ${address.host}:${address.port}/${address.database}`;
  const pool = createPool(address, where, config.timeoutSeconds * 1_000);
  const { ask } = pool;
  return {
    push: (batch: HookInput<"hub.push">) => push(ask, batch),
    pull: (asked: HookInput<"hub.pull">) => pull(ask, asked),
    write: (file: HookInput<"hub.write">) => write(ask, file),
    files: (asked: HookInput<"hub.files">) => files(ask, asked),
    remove: (asked: HookInput<"hub.remove">) => remove(ask, asked),
    wait: (asked: HookInput<"hub.wait">, signal: AbortSignal) => wait(pool, asked, signal),
    health: (asked: HookInput<"hub.health">) => health(ask, asked, where),
    close: pool.close,
  };
}

type Pool = ReturnType<typeof createPool>;
type Ask = Pool["ask"];

/** The connections, made at the first question and let go of where one may hang; and what was heard over them. Long because all of it is about one set of connections. */
function createPool(address: Address, where: string, deadlineMs: number) {
  let pool: postgres.Sql | undefined;
  let prepared: Promise<void> | undefined;
  /** When a notice of this database was heard last, as a count. */
  let notices = 0;
  let isListening = false;
  let isClosed = false;

  function connected(): postgres.Sql {
    if (isClosed) throw new MemoirError("hub_away", `The address of ${where} was replaced.`);
    pool ??= connect(address);
    return pool;
  }

  /** Lets go of connections that may hang, and of what was begun on them; not of newer ones, over which others ask already. */
  function drop(old: postgres.Sql): void {
    if (old !== pool) return;
    pool = undefined;
    prepared = undefined;
    isListening = false;
    void old.end({ timeout: 1 }).catch(() => undefined);
  }

  async function askOnce<Value>(work: (sql: postgres.Sql) => Promise<Value>): Promise<Value> {
    const sql = connected();
    const stop = new AbortController();
    try {
      const late = sleep(deadlineMs, undefined, { signal: stop.signal }).then(() => {
        throw new MemoirError("hub_away", `${where} did not answer in ${deadlineMs / 1_000} s.`);
      });
      late.catch(() => undefined);
      prepared ??= prepareTables(sql);
      const answer = prepared.then(() => work(sql));
      answer.catch(() => undefined);
      return await Promise.race([answer, late]);
    } catch (error) {
      // Tables may be gone, a role may have been given its rights: all is looked at anew.
      drop(sql);
      throw error;
    } finally {
      stop.abort();
    }
  }

  /** A connection that was cut while nobody asked shows at the next question, which is then asked over a new one. */
  async function ask<Value>(
    work: (sql: postgres.Sql) => Promise<Value>,
    isRepeatable = true,
  ): Promise<Value> {
    const wasConnected = pool !== undefined;
    try {
      return await askOnce(work).catch((error: unknown) => {
        if (isRepeatable && wasConnected && isCut(error)) return askOnce(work);
        throw error;
      });
    } catch (error) {
      throw inWords(error, where);
    }
  }

  function listen(): void {
    if (isListening) return;
    isListening = true;
    const heard = connected().listen(channel, () => {
      notices += 1;
    });
    heard.catch(() => {
      isListening = false;
    });
  }

  async function close(): Promise<void> {
    const old = pool;
    isClosed = true;
    pool = undefined;
    await old?.end({ timeout: 1 }).catch(() => undefined);
  }

  return { ask, listen, notices: () => notices, isClosed: () => isClosed, close };
}

async function push(
  ask: Ask,
  { space, stream, number, bytes }: HookInput<"hub.push">,
): Promise<HookOutput<"hub.push">> {
  const digest = createHash("sha256").update(bytes).digest("hex");
  const body = Buffer.from(bytes);
  const stored = await ask(
    (sql) => sql`
      with head as (
        insert into memoir.heads as h (space, stream, number, digest)
        select ${space}, ${stream}, ${number}::int8, ${digest}
        where ${number}::int8 = 1 or exists (
          select from memoir.heads where space = ${space} and stream = ${stream})
        on conflict (space, stream) do update set number = excluded.number, digest = excluded.digest
        where h.number = excluded.number - 1
        returning number)
      insert into memoir.batches (space, stream, number, bytes)
      select ${space}, ${stream}, number, ${body} from head
      returning pg_notify(${channel}, ${space})`,
  );
  if (stored.length > 0) return { state: "stored", number };
  const answer = await ask(
    (sql) => sql`
      select h.number::int8 as head, encode(sha256(b.bytes), 'hex') as digest
      from memoir.heads h left join memoir.batches b
        on b.space = h.space and b.stream = h.stream and b.number = ${number}::int8
      where h.space = ${space} and h.stream = ${stream}`,
  );
  const [there] = rowsOf(ThereSchema, answer);
  const head = there?.head ?? 0;
  if (head < number) return { state: "behind", number: head };
  return { state: there?.digest === digest ? "there" : "taken", number: head };
}

async function pull(ask: Ask, asked: HookInput<"hub.pull">): Promise<HookOutput<"hub.pull">> {
  const { space, after, newest } = asked;
  const heads = await headsOf(ask, space);
  const from = heads
    .map(({ stream, number }) => ({
      stream,
      after: newest ? Math.max(0, number - newest) : (after[stream] ?? 0),
      number,
    }))
    .filter((one) => one.number > one.after);
  if (from.length === 0) return { batches: [], heads, more: false };
  const known = JSON.stringify(from);
  const sizes = await ask(
    (sql) => sql`
      select b.stream, b.number::int8, octet_length(b.bytes) as size
      from json_to_recordset(${known}::text::json) as k(stream text, after int8, number int8)
      join memoir.batches b on b.space = ${space} and b.stream = k.stream and b.number > k.after
      order by case when ${newest !== undefined} then k.number - b.number else 0 end, b.stream, b.number
      limit ${mostRows}`,
  );
  const ranges = fitting(rowsOf(SizeSchema, sizes), asked.bytes);
  const wanted = JSON.stringify([...ranges].map(([stream, range]) => ({ stream, ...range })));
  const rows = await ask(
    (sql) => sql`
      select b.stream, b.number::int8, b.bytes
      from json_to_recordset(${wanted}::text::json) as k(stream text, after int8, number int8)
      join memoir.batches b on b.space = ${space} and b.stream = k.stream
        and b.number > k.after and b.number <= k.number
      order by b.stream, b.number`,
  );
  const batches = rowsOf(BatchSchema, rows)
    .filter(isStream)
    .map((one) => ({ ...one, bytes: new Uint8Array(one.bytes) }));
  const more = from.some(({ stream, number }) => (ranges.get(stream)?.number ?? 0) < number);
  return { batches, heads, more };
}

/** Of each stream what fits into so many bytes together: after which number, and up to which. */
function fitting(
  sizes: ReadonlyArray<v.InferOutput<typeof SizeSchema>>,
  bytes: number,
): Map<string, { after: number; number: number }> {
  let left = bytes;
  const ranges = new Map<string, { after: number; number: number }>();
  for (const { stream, number, size } of sizes) {
    if (left <= 0) break;
    const { after: low, number: high } = ranges.get(stream) ?? { after: number, number };
    const range = { after: Math.min(low, number - 1), number: Math.max(high, number) };
    ranges.set(stream, range);
    left -= size;
  }
  return ranges;
}

async function headsOf(ask: Ask, space: string) {
  const rows = await ask(
    (sql) =>
      sql`select stream, number::int8, digest from memoir.heads where space = ${space} order by stream`,
  );
  return rowsOf(HeadSchema, rows).filter(isStream);
}

async function write(ask: Ask, { space, name, bytes, isNew = false }: HookInput<"hub.write">) {
  const body = Buffer.from(bytes);
  const rows = await ask(
    (sql) =>
      isNew
        ? sql`insert into memoir.files (space, name, bytes) values (${space}, ${name}, ${body})
            on conflict do nothing returning pg_notify(${channel}, ${space})`
        : sql`insert into memoir.files (space, name, bytes) values (${space}, ${name}, ${body})
            on conflict (space, name) do update set bytes = excluded.bytes, at = now()
            returning 1`,
    // Where the first one was written and its answer lost, a second would find the name taken.
    !isNew,
  );
  return { written: rows.length > 0 };
}

async function files(
  ask: Ask,
  { space, prefix }: HookInput<"hub.files">,
): Promise<HookOutput<"hub.files">> {
  const rows = await ask(
    (sql) => sql`select name, bytes from memoir.files
      where space = ${space} and starts_with(name, ${prefix}) order by name`,
  );
  return {
    files: rowsOf(FileSchema, rows).map(({ name, bytes }) => ({
      name,
      bytes: new Uint8Array(bytes),
    })),
  };
}

async function remove(ask: Ask, { space, names }: HookInput<"hub.remove">) {
  await ask(
    (sql) => sql`delete from memoir.files where space = ${space} and name in ${sql(names)}`,
  );
  return {};
}

async function wait(pool: Pool, { spaces, ms }: HookInput<"hub.wait">, signal: AbortSignal) {
  const until = Date.now() + ms;
  const stamp = async () =>
    JSON.stringify(
      await pool.ask(
        (sql) => sql`
          select space, sum(number)::text as numbers, (select count(*) from memoir.files f
            where f.space = h.space and starts_with(f.name, 'charter/')) as charters
          from memoir.heads h where space in ${sql(spaces)} group by space order by space`,
      ),
    );
  const before = await stamp();
  pool.listen();
  const heard = pool.notices();
  let looked = Date.now();
  while (Date.now() < until && !signal.aborted) {
    await sleep(20);
    if (pool.notices() !== heard || pool.isClosed()) return { changed: true };
    // One that was heard before is not deaf.
    if (Date.now() - looked < (heard > 0 ? lookMs.heard : lookMs.deaf)) continue;
    if ((await stamp()) !== before) return { changed: true };
    looked = Date.now();
  }
  return { changed: false };
}

async function health(
  ask: Ask,
  { space }: HookInput<"hub.health">,
  where: string,
): Promise<HookOutput<"hub.health">> {
  try {
    const [row] = await ask(
      (sql) => sql`select coalesce(sum(size), 0)::text as bytes from (
        select octet_length(bytes) as size from memoir.batches where space = ${space ?? ""}
        union all select octet_length(bytes) from memoir.files where space = ${space ?? ""}) as all_of_it`,
    );
    const bytes = Number(row?.bytes);
    return { ok: true, where, ...(space && bytes >= 0 ? { bytes } : {}) };
  } catch (error) {
    const { code, message, fix } = inWords(error, where);
    // What passes by itself needs no advice.
    return { ok: false, where, trouble: code === "hub_away" ? message : `${message} ${fix}` };
  }
}

/** From `keys.json`, which nobody else may read: never from config, an argument or a log. */
async function connection(home: string): Promise<string> {
  const text = await readKey("hub-postgres", home, "MEMOIR_HUB_KEY");
  if (text) return text;
  throw new MemoirError("hub_refused", "The address of the PostgreSQL hub is not known here.", {
    fix: "Run `memoir sync init postgres` and type it in, or `memoir sync join <invitation>`.",
  });
}

function connect(address: Address): postgres.Sql {
  return postgres({
    ...address,
    ssl: address.ssl as never,
    max: 3,
    // A pooler gives each transaction another session, and takes no settings of one.
    prepare: false,
    fetch_types: false,
    connect_timeout: 8,
    idle_timeout: 120,
    onnotice: () => undefined,
    connection: { application_name: "memoir" },
  });
}

const correct = "Correct the address with `memoir sync init postgres`";
const refusals: Readonly<Record<string, [is: string, fix: string]>> = {
  "28P01": ["refuses the password", `${correct}.`],
  "28000": ["refuses this user", `${correct}, or have the server let the user in.`],
  "3D000": ["has no such database", `${correct}, or have the database made.`],
  "42501": ["does not let this user do it", "The database's owner grants what is missing."],
};
const passing: Readonly<Record<string, string>> = {
  "25006": "is read-only now",
  "53100": "has no room left on its disk",
  "53200": "has no memory left",
  "53300": "has no connection left",
  "57P01": "is shutting down",
  "57P03": "is starting up",
};

/** A pooler gives all of it one code, and says the rest in words. */
const pooled: ReadonlyArray<[says: RegExp, code: string]> = [
  [/authentication failed|no such user/i, "28P01"],
  [/^role .* does not exist/i, "28000"],
  [/no such database|^database .* does not exist/i, "3D000"],
  [/no more connections|too many (?:connections|clients)|connection slots/i, "53300"],
];

/** Whether the connection went away, which says nothing of whether the server can be reached. */
function isCut(error: unknown): boolean {
  const { code = "" } = error as { code?: string };
  return [
    "CONNECTION_CLOSED",
    "CONNECTION_DESTROYED",
    "CONNECTION_ENDED",
    "ECONNRESET",
    "EPIPE",
    "57P01",
  ].includes(code);
}

/** In words that hold nothing of the address but the host and the database. */
function inWords(error: unknown, where: string): MemoirError {
  if (error instanceof MemoirError) return error;
  const { code: given = "", message = "" } = error as { code?: string; message?: string };
  const says = message.slice(0, 200);
  const known = given === "08P01" ? pooled.find(([words]) => words.test(says))?.[1] : undefined;
  // What a server calls a code may be anything.
  const code = known ?? (/^[A-Z0-9_]{1,40}$/.test(given) ? given : "");
  const [is, fix] = refusals[code] ?? [];
  if (is !== undefined && fix !== undefined)
    return new MemoirError("hub_refused", `${where} ${is}.`, { fix });
  if (passing[code]) return new MemoirError("hub_away", `${where} ${passing[code]}.`);
  if (/certificate|altname|self[- ]signed|CERT|TLS|SSL/i.test(`${code} ${says}`))
    return new MemoirError("hub_refused", `${where} could not prove that it is that server.`, {
      fix: "Name its root certificate in `plugins.hub-postgres.rootCertificate`.",
    });
  if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith("08"))
    return new MemoirError("hub_away", `${where} failed (${code}).`);
  return new MemoirError("hub_away", `${where} cannot be reached${code ? ` (${code})` : ""}.`);
}
