// One entry for each turn of a search: what was asked, what came of it, what failed, and the ids of the records that hold it.
import type { Database } from "../host/sqlite.ts";
import { namesTurn, partOf } from "../sdk/record-texts.ts";
import type { RecordKind, SearchResult } from "../sdk/storage.ts";
import type { Turn } from "../sdk/turn.ts";
import { failureLine } from "../text/prose/plain.ts";
import { cut, oneLine } from "../text/text.ts";
import { documentOf, kinds as recordKinds, recordOf } from "./fields.ts";
import { type Read, readKind } from "./list.ts";

/** Kinds of which a turn's record, and what was derived from it, are. */
const partKinds = ["turn", "prompt", "observation", "summary"] as const;
type PartKind = (typeof partKinds)[number];
type Part = { [Kind in PartKind]: { kind: Kind } & Read<Kind> }[PartKind];

/** A result with the client of its session, which tells sessions of one id apart. */
export interface Entry {
  result: SearchResult;
  client: string | undefined;
}

interface Shown {
  /** The kinds that were asked for: an entry is its turn's record only where turns are among them. */
  kinds: readonly RecordKind[];
  /** Documents that are no answer, what is hidden from the asker among them. */
  leftOut: ReadonlySet<string>;
  /** What a result says of a turn. */
  ofTurn: (read: Read<"turn">) => Omit<SearchResult, "score">;
}

const askedLength = 240;
const mostFailures = 5;

/** The results as entries of their turns. What is of no turn stays as it is. */
export function asTurns(
  db: Database,
  entries: readonly Entry[],
  { kinds, leftOut, ofTurn }: Shown,
): SearchResult[] {
  const parts = partsOf(db, entries);
  return entries.map(({ result, client }) => {
    const own = (parts.get(placeOf({ client, ...result })) ?? []).filter(
      ({ kind, row }) => !leftOut.has(documentOf({ kind, row })),
    );
    if (own.length === 0 || !isOfTurn(result)) return result;
    const turn = own.find((part) => part.kind === "turn");
    const asked = askedIn(own);
    const named = own.map(partOf);
    const main = namesTurn(named, result.id);
    const entry: SearchResult = {
      ...(turn && kinds.includes("turn") ? ofItsTurn(result, ofTurn(turn)) : result),
      ...(asked !== "" && { asked }),
      ...(turn && failuresIn(turn.record)),
      parts: named,
    };
    if (entry.kind !== "turn" || !main) return entry;
    const { type, title, supersededBy } = main;
    const marks = [...new Set([...(entry.marks ?? []), ...(main.marks ?? [])])];
    return {
      ...{ ...entry, type, title },
      ...(supersededBy !== undefined && { supersededBy }),
      ...(marks.length > 0 && { marks }),
    };
  });
}

/** The turn's own record, with what was found in a part of it. */
function ofItsTurn(found: SearchResult, turn: Omit<SearchResult, "score">): SearchResult {
  if (found.kind === "turn") return found;
  const { score, excerpt, facts, why, corrected, id } = found;
  return {
    ...{ ...turn, score, facts, found: id },
    ...(excerpt !== undefined && { excerpt }),
    ...(why && { why }),
    ...(corrected && { corrected }),
  };
}

function isOfTurn({ kind }: SearchResult): boolean {
  return partKinds.some((one) => one === kind);
}

function askedIn(parts: readonly Part[]): string {
  const turn = parts.find((part) => part.kind === "turn")?.record;
  const typed = turn?.pieces.find(({ kind }) => kind === "prompt")?.text;
  const prompt = parts.find((part) => part.kind === "prompt")?.record.text;
  return cut(oneLine(typed ?? prompt ?? ""), askedLength);
}

/** What failed in a turn, each command once, and whether it passed after files were changed. */
function failuresIn({ pieces }: Turn): Pick<SearchResult, "failures"> {
  const found = new Map<string, NonNullable<SearchResult["failures"]>[number]>();
  for (const { kind, text, about: command = "" } of pieces) {
    if (kind !== "failure" && kind !== "repair") continue;
    const [output = ""] = text.split("\n\n→ ");
    const failed = failureLine(output) || found.get(command)?.failed || command;
    found.set(command, { failed, isFixed: kind === "repair", ...(command && { command }) });
  }
  const failures = [...found.values()].slice(0, mostFailures);
  return failures.length > 0 ? { failures } : {};
}

/** What is stored of the entries' turns, by place; of each the turn first, and the rest in time order. */
function partsOf(db: Database, entries: readonly Entry[]): Map<string, Part[]> {
  const sessions = db.prepare<{ id: number }>(
    "SELECT id FROM sessions WHERE client_session_id = ?",
  );
  const places = entries
    .filter(({ result }) => isOfTurn(result))
    .flatMap(({ result: { session, promptNumber } }) =>
      sessions.all([session]).map(({ id }) => [id, promptNumber]),
    );
  const asked = JSON.stringify(places);
  const read = <Kind extends PartKind>(kind: Kind) => {
    const rest =
      "WHERE (r.session_id, r.prompt_number) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?)) ORDER BY r.created_at, r.id";
    return readKind(db, kind, rest, [asked]).map((one) => ({ kind, ...one }) as Part);
  };
  return Map.groupBy(partKinds.flatMap(read), ({ record }) => placeOf(record));
}

/** Which turn of which session. */
function placeOf(of: {
  client?: string | undefined;
  session: string;
  promptNumber: number;
}): string {
  return JSON.stringify([of.client, of.session, of.promptNumber]);
}

/** Documents with the turn that each is of, in their order. */
export function placesOf(
  db: Database,
  ids: readonly string[],
): Array<{ id: string; kind: RecordKind; session: string; position: number }> {
  const known = ids.flatMap((id) => {
    const of = recordOf(id);
    return of ? { id, ...of } : [];
  });
  const places = new Map<string, { session: string; position: number }>();
  for (const [kind, list] of Map.groupBy(known, ({ kind }) => kind)) {
    if (!partKinds.some((one) => one === kind)) continue;
    const sql = `SELECT id, session_id, prompt_number FROM ${recordKinds[kind].table} WHERE id IN (SELECT value FROM json_each(?))`;
    const rows = db.prepare<{ id: number; session_id: number; prompt_number: number }>(sql);
    for (const { id: row, session_id, prompt_number } of rows.all([
      JSON.stringify(list.map(({ row }) => row)),
    ]))
      places.set(documentOf({ kind, row }), {
        session: String(session_id),
        position: prompt_number,
      });
  }
  return known.map(({ id, kind, row }) => ({
    ...{ id, kind, session: kind === "session" ? String(row) : "", position: 0 },
    ...places.get(id),
  }));
}
