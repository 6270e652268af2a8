// What changes in memory, as it happens: one stream of server-sent events, read while the page is looked at, and resumed where it broke off. It is
// also what finds out that the server went away, and that it came back.
import { useEffect, useRef } from "preact/hooks";
import type { Changed } from "../server/server.ts";
import { follow } from "./api.ts";

/** After a stream ended, or none was to be had. */
const againMs = 2_000;
/** Nobody waits longer than this for the stream before anything is shown: with one that opens later, all is asked for again. */
const openingMs = 40;

type Hear = (changed: Changed) => void;
const heard = new Set<Hear>();
let lastId: string | undefined;
let control: AbortController | undefined;

/**
 * Begins to read. Resolves when changes from now on are told, or after a moment: what is asked afterwards misses none. A page that nobody looks at
 * reads none, since a browser has few connections to a server, and is told later what it missed.
 */
export function followChanges(): Promise<void> {
  const look = () => (document.hidden ? control?.abort() : void read());
  document.addEventListener("visibilitychange", look);
  return new Promise((go) => {
    let isLate = false;
    setTimeout(() => {
      isLate = true;
      go();
    }, openingMs);
    void read().then(() => (isLate ? hearAll({ what: [], sessions: [], all: true }) : go()));
  });
}

/** Calls `hear` with each change. */
export function useChanges(hear: Hear): void {
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    const one: Hear = (changed) => latest.current(changed);
    heard.add(one);
    return () => void heard.delete(one);
  }, []);
}

/** Resolves once it is open; goes on until the page is hidden. */
async function read(): Promise<void> {
  control?.abort();
  if (document.hidden) return;
  const own = new AbortController();
  control = own;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  void (async () => {
    while (!own.signal.aborted) {
      try {
        await follow("/api/changes", lastId, own.signal, open, take);
      } catch {
        // The line at the top says so where it matters.
      }
      open();
      await pause();
    }
  })();
  return opened;
}

/** A while, or until another tab has a session of the page. */
function pause(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, againMs);
  addEventListener("storage", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

/** One message: an id to go on from, and what changed. */
function take(message: string): void {
  lastId = /^id: (.*)$/m.exec(message)?.[1] ?? lastId;
  const data = /^data: (.*)$/m.exec(message)?.[1];
  if (data === undefined) return;
  const changed: Changed = JSON.parse(data);
  if (changed.what.length > 0 || changed.all) hearAll(changed);
}

function hearAll(changed: Changed): void {
  for (const hear of heard) hear(changed);
}
