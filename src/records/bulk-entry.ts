// Where the thread begins that reads what waits for the index and writes it there, whenever its owner lets it; see `bulk.ts`.
import { setImmediate as turn } from "node:timers/promises";
import { takeChanged } from "../home/database/intact.ts";
import { type Database, openDatabase, takeUnreadable } from "../host/sqlite.ts";
import { createIndex } from "../search/index.ts";
import type { FromBulk, ToBulk } from "./bulk.ts";
import { documentsOf, quietMs } from "./search-index.ts";

/** Nobody waits for the thread, and each time most of a term's rows are written anew, however few documents there are. */
const writtenAtOnce = 8_192;
/** What it is told waits for so many; each time it looks, memory that it gave back is swept. */
const readAtOnce = 512;
/** A thread that begins is slow at first: it stays for what comes soon. */
const lingerMs = 5_000;

const scope = globalThis as unknown as {
  onmessage: ((event: { data: ToBulk }) => void) | null;
  postMessage(message: FromBulk): void;
};
const told = { anew: 0, mayWrite: false, isClosed: false };
let woken: (() => void) | undefined;

scope.onmessage = ({ data }) => {
  if (data.type === "open") void work(data.path);
  else if (data.type === "anew") told.anew++;
  else if (data.type === "write") told.mayWrite = true;
  else if (data.type === "close") told.isClosed = true;
  woken?.();
};

/** Resolves with the next message, which is true, or after some time. */
function message(ms?: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = ms === undefined ? undefined : setTimeout(() => resolve(false), ms);
    woken = () => {
      clearTimeout(timer);
      resolve(true);
    };
  });
}

async function work(path: string): Promise<void> {
  let db: Database | undefined;
  try {
    db = await openDatabase(path, { create: false });
    db.exec("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = FAST; PRAGMA cache_size = -16000");
    // It brings what is in the log into the file once the others may write again, not while they wait.
    db.exec("PRAGMA wal_autocheckpoint = 0");
    await readAndWrite(db);
  } catch {
    // Damage is met again, and seen to, by who goes on.
    scope.postMessage({ type: "failed" });
  } finally {
    db?.close();
    scope.postMessage({ type: "closed" });
  }
}

async function readAndWrite(db: Database): Promise<void> {
  const index = createIndex(db);
  const find = (ids: readonly string[]) => documentsOf(db, ids);
  for (let anew = 0; !told.isClosed; ) {
    if (told.anew !== anew) index.forgetRead();
    anew = told.anew;
    const isFull = index.readCount() >= writtenAtOnce;
    const read = isFull ? 0 : index.read(readAtOnce, find);
    if (takeChanged(db).length + takeUnreadable(db).length > 0)
      throw new Error("A row is damaged.");
    if (read > 0) await turn();
    else if (index.readCount() === 0) {
      scope.postMessage({ type: "empty" });
      if (await message(lingerMs)) continue;
      scope.postMessage({ type: "done" });
      await message();
    } else if (isFull || !(await message(quietMs))) {
      told.mayWrite = false;
      scope.postMessage({ type: "full", anew });
      while (!told.mayWrite && !told.isClosed && told.anew === anew) await message();
      if (!told.mayWrite) continue;
      index.settle();
      scope.postMessage({ type: "written" });
      db.get("PRAGMA wal_checkpoint(PASSIVE)");
    }
  }
}
