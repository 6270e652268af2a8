// Which sessions reach their model through the gateway, and where each was led when it began: that stays, whatever is configured later.
import * as v from "valibot";
import { atomicWrite, readFileText } from "../../home/read-file.ts";

/** Where a session's requests go: it knows the port, and the gateway the address. */
export interface Way {
  port: number;
  /** Without a slash at its end. */
  upstream: string;
}

const WaySchema = v.object({ port: v.number(), upstream: v.string() });
const FileSchema = v.object({
  last: v.nullable(WaySchema),
  sessions: v.record(
    v.string(),
    // Whether it sent a request yet; it may have begun only, and may go past the gateway.
    v.object({ ...WaySchema.entries, at: v.number(), asked: v.boolean() }),
  ),
  /** Sessions of which the API refused a shortened request, each with when (epoch ms); one that ended may be resumed. */
  refused: v.optional(v.record(v.string(), v.number()), () => ({})),
});

type OpenFile = v.InferOutput<typeof FileSchema>;

/** A session that was silent for this long, and did not say that it ends, is taken for closed. */
export const silentMs = 12 * 60 * 60_000;
const mostKept = 1_000;
/** How long it is remembered that the API refused. */
const refusedMs = 30 * 24 * 60 * 60_000;
/** A time this old is written anew. */
const freshMs = 10 * 60_000;

/** Below the home: which sessions are open, for whoever listens next. */
export function openSessionsFile(home: string): string {
  return `${home}/gateway-sessions.json`;
}

/** What the file says; empty where there is none, or none that is understood. */
async function readFile(path: string): Promise<OpenFile> {
  try {
    const parsed = v.safeParse(FileSchema, JSON.parse(await readFileText(path)));
    if (parsed.success) return parsed.output;
  } catch {
    // Nobody was ever led through.
  }
  return { last: null, sessions: {}, refused: {} };
}

export type OpenSessions = Awaited<ReturnType<typeof openSessions>>;

/**
 * Goes on from what the home's file says, and keeps it up to date while `mayWrite`; a failure to write costs only what the
 * next server knows. Long because its short steps share which sessions are open.
 */
export async function openSessions(
  home: string,
  now: () => number,
  mayWrite: () => Promise<boolean> = async () => true,
) {
  const path = openSessionsFile(home);
  const known = await readFile(path);
  const sessions = new Map(Object.entries(known.sessions));
  const refused = new Map(Object.entries(known.refused).filter(([, at]) => at > now() - refusedMs));
  let last = known.last ?? undefined;
  let writing: Promise<void> = Promise.resolve();
  let waits = false;

  function save(): void {
    if (waits) return;
    waits = true;
    writing = writing.then(async () => {
      waits = false;
      const file: OpenFile = {
        last: last ?? null,
        sessions: Object.fromEntries(sessions),
        refused: Object.fromEntries(refused),
      };
      if (await mayWrite())
        await atomicWrite(path, `${JSON.stringify(file)}\n`).catch(() => undefined);
    });
  }

  function prune(): void {
    const since = now() - silentMs;
    for (const [session, { at }] of sessions) if (at < since) sessions.delete(session);
  }

  /** Notes that a session is there; what it was led to first stays. */
  function note(session: string, way: Way, asked: boolean): void {
    const known = sessions.get(session);
    const one = { ...way, at: now(), asked: asked || (known?.asked ?? false) };
    sessions.delete(session);
    sessions.set(session, one);
    const [oldest] = sessions.keys();
    if (sessions.size > mostKept && oldest !== undefined) sessions.delete(oldest);
    const isKnown = known?.port === way.port && known.asked === one.asked;
    if (!isKnown || one.at - known.at > freshMs) save();
  }

  return {
    /** A request came on a port; gives where it goes. `current`: where new sessions are led; undefined while the gateway is off. */
    wayOf(session: string, port: number, current: Way | undefined): Way | undefined {
      if (current && (last?.port !== current.port || last.upstream !== current.upstream)) {
        last = current;
        save();
      }
      const way = sessions.get(session) ?? (current?.port === port ? current : last);
      if (!way) return undefined;
      const { upstream } = way;
      // Whoever names no session is none that could end.
      if (session !== "") note(session, { port, upstream }, true);
      return { port, upstream };
    },
    /** It begins while the gateway is on: its first request may come later. */
    began(session: string, current: Way): void {
      last = current;
      note(session, sessions.get(session) ?? current, false);
    },
    /** It said that it ends. */
    ended(session: string): void {
      if (sessions.delete(session)) save();
    },
    /** The API refused a request of it that had been shortened. */
    refuse(session: string): void {
      refused.set(session, now());
      const [oldest] = refused.keys();
      if (refused.size > mostKept && oldest !== undefined) refused.delete(oldest);
      save();
    },
    /** Whether its requests go out whole for that. */
    isRefused: (session: string): boolean => refused.has(session),
    /** Whether there is any such session. */
    anyRefused: (): boolean => refused.size > 0,
    /** Ports that are still asked by somebody. */
    ports(): Set<number> {
      prune();
      return new Set([...sessions.values()].map(({ port }) => port));
    },
    /** How many of them sent a request. */
    count(): number {
      prune();
      return [...sessions.values()].filter(({ asked }) => asked).length;
    },
    /** Where a session goes that nobody knows, while the gateway is off. */
    last: (): Way | undefined => last,
    /** Ends once all of it is on disk. */
    written: (): Promise<void> => writing,
  };
}
