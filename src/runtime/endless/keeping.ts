// Keeps what a strategy takes out, and books it once the client has the answer that leaves it out.
import type { KeepRequest } from "../../sdk/endless.ts";
import type { ClientEvent, PostToolUseEvent } from "../../sdk/events.ts";
import { estimateTokens } from "../../text/tokens.ts";
import type { JournalSession } from "../ports.ts";
import { type Booking, book } from "./books.ts";
import { keepRow, packContent } from "./kept-rows.ts";
import type { Ledger } from "./ledger.ts";
import type { EndlessFile } from "./open-store.ts";
import type { Capture, Originals } from "./originals.ts";
import { sameJson, textLength } from "./originals.ts";
import type { SecondLooks } from "./second-looks.ts";

interface KeepingDeps {
  file: EndlessFile;
  originals: Originals;
  ledger: Ledger;
  looks: SecondLooks;
  capture: Capture;
  session: (id: string) => JournalSession | undefined;
  now: () => number;
  /** So many bytes more are kept. */
  grew: (bytes: number) => void;
}

/** What may follow `memoir recall ` in a shell as it is. What cannot be asked for must not be taken out. */
const recallableId = /^\w[\w.:-]{0,199}$/;

/** What is noted once the client has its answer. */
interface Unanswered {
  booking: Booking;
  took(): void;
}

/** Holds what waits for its answer. */
export function createKeeping(deps: KeepingDeps) {
  const { file, originals, ledger, capture, now } = deps;
  const unanswered = new Map<string, Unanswered[]>();

  /** Where bookings wait while a hook is answered; undefined where nobody waits. */
  function unansweredOf(session: string, toolUseId: string): Unanswered[] | undefined {
    if (!originals.holds(session, toolUseId)) return undefined;
    const key = JSON.stringify([session, toolUseId]);
    const bookings = unanswered.get(key) ?? [];
    unanswered.set(key, bookings);
    return bookings;
  }

  return {
    /** False where it may not be kept, and must not be taken out therefore. */
    async keep(strategy: string, request: KeepRequest): Promise<boolean> {
      const { session, toolUseId, value, before, after, tool, part, kind = "" } = request;
      if (!recallableId.test(toolUseId)) return false;
      const known = deps.session(session);
      const waiting = part === "output" ? unansweredOf(session, toolUseId) : undefined;
      if (!(await originals.covers(toolUseId, value))) {
        const about = {
          client: known?.client ?? "",
          time: now(),
          cwd: known?.project.root ?? "",
          ...(known ? { project: known.project } : {}),
        };
        if (!(await mayBeKept(request, capture, about))) return false;
      }
      const packed = packContent(value);
      if (!packed) return false;
      const project = request.project ?? known?.project.id;
      const booking: Booking = {
        at: now(),
        ...{ strategy, kind: "kept", session, project, tool, part, reason: kind },
        whole: before.length,
        characters: before.length - after.length,
        tokens: estimateTokens(before) - estimateTokens(after),
      };
      const input =
        part === "input"
          ? value
          : (request.otherHalf ?? (await originals.original(toolUseId))?.input);
      const took = () =>
        deps.looks.took({ strategy, kind, session, project, tool, part }, request, input);
      await file.write((db) => {
        const own = { ...request, ...(project === undefined ? {} : { project }) };
        const isNew = keepRow(db, strategy, own, packed, now());
        if (isNew && waiting) waiting.push({ booking, took });
        else if (isNew) {
          book(db, [booking]);
          took();
        }
      });
      deps.grew(packed.data.byteLength);
      return true;
    },
    /** A hook was answered. Unless `isTaken`, the client goes on with the whole result: nothing was kept out. */
    answered(event: ClientEvent, isTaken: boolean): void {
      if (event.name !== "PostToolUse") return;
      const key = JSON.stringify([event.session, event.toolUseId]);
      const bookings = unanswered.get(key) ?? [];
      // A strategy that was too late writes into a list that nobody reads any more.
      unanswered.delete(key);
      if (!isTaken) return;
      for (const { booking, took } of bookings) {
        ledger.note(booking);
        took();
      }
    },
  };
}

// May a value be kept? Only what the capture plugins leave as it is.

/** A longer value stays where it is. */
const mostCharacters = 8 * 1024 * 1024;

/** Sends the value through capture as a tool use's input or output; false when that drops, withholds or changes it. */
async function mayBeKept(
  { session, toolUseId, tool, part, value, otherHalf = {} }: KeepRequest,
  capture: Capture,
  about: Pick<PostToolUseEvent, "client" | "time" | "cwd" | "project">,
): Promise<boolean> {
  if (textLength([value, otherHalf], mostCharacters) > mostCharacters) return false;
  const id = `endless:${session}:${toolUseId}:${part}`;
  const event: PostToolUseEvent = {
    ...about,
    name: "PostToolUse",
    id,
    key: id,
    session,
    toolUseId,
    toolName: tool,
    toolInput: part === "input" ? value : otherHalf,
    toolResponse: part === "output" ? value : otherHalf,
  };
  const captured = await capture(event);
  if ("drop" in captured || captured.event.withheld || captured.event.name !== event.name)
    return false;
  const { toolInput, toolResponse } = captured.event;
  return sameJson(part === "input" ? toolInput : toolResponse, value);
}
