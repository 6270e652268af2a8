// Notes that were derived from the evidence, one line each with its id; what their turn says is not said twice. Pure.

import type { Turn } from "../../src/sdk/index.ts";
import type { Material } from "./gather.ts";
import { type Line, plain } from "./line.ts";
import type { Note } from "./note.ts";

/** Observations, and summaries of sessions whose turns are not known. */
export function derived(material: Material, note: Note): Line[] {
  const { observations, summaries, turns, own } = material;
  const evidence = [...turns, ...own];
  const known = new Set(evidence.map(({ session }) => session));
  const placeOf = (one: { session: string; promptNumber: number }) =>
    `${one.session} ${one.promptNumber}`;
  const turnAt = new Map(evidence.map((turn) => [placeOf(turn), turn]));
  const { clock, labels } = note;
  const lines = observations.map((observation, at): Line => {
    const { id, time, type, title, subtitle, facts, edited } = observation;
    const turn = turnAt.get(placeOf(observation));
    return {
      section: "notes",
      rank: (edited ? 0.66 : 0.38) - at * 0.004,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${type}${edited ? ` · ${labels.typed}` : ""}:`,
      // What a turn says itself is not said again, neither in its words nor in others; the user's own words are.
      sayings: () => {
        if (turn && !edited && says(turn, title)) return [];
        return [title, ...(turn && !edited ? [] : [subtitle, ...facts.slice(0, 1)])]
          .filter((text) => text !== "")
          .map((text, i) => ({ text, ...(i > 0 && { label: "—" }), as: "plain" as const }));
      },
      needsSaying: true,
      wanted: 320,
      least: 60,
    };
  });
  const unknown = summaries.filter(
    ({ session, scope }) => scope === "session" && !known.has(session),
  );
  const ofSessions = unknown.map(
    ({ id, time, request, completed, learned, nextSteps }, at): Line => ({
      section: "notes",
      rank: (at === 0 && turns.length === 0 ? 0.95 : 0.6) - at * 0.02,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${labels.summary}:`,
      sayings: () =>
        [request, completed, learned, nextSteps]
          .filter((text) => text !== "")
          .map((text) => ({ text, as: "plain" as const })),
      wanted: 600,
      least: 60,
    }),
  );
  return [...ofSessions, ...lines];
}

/** True for a title that was taken from what the turn says, or was asked to do. */
function says({ pieces }: Turn, title: string): boolean {
  const words = plain(title).trimEnd();
  return pieces.some(({ text, about = "" }) => plain(`${about}\n${text}`).includes(words));
}
