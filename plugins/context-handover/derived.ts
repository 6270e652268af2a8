// Notes that were derived from the evidence, one line each with its id; what their turn says is not said twice. Pure.
import type { Material } from "./gather.ts";
import type { Line } from "./line.ts";
import type { Note } from "./note.ts";

/** Observations, and summaries of sessions whose turns are not known. */
export function derived(material: Material, note: Note): Line[] {
  const { observations, summaries, turns, own } = material;
  const evidence = [...turns, ...own];
  const known = new Set(evidence.map(({ session }) => session));
  const told = new Set(evidence.map(({ session, promptNumber }) => `${session} ${promptNumber}`));
  const { clock, labels } = note;
  const lines = observations.map(
    ({ id, time, type, title, subtitle, facts, session, promptNumber }, at): Line => ({
      section: "notes",
      rank: 0.38 - at * 0.004,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${type}:`,
      sayings: () => [
        { text: title, as: "plain" },
        // What a turn says itself is not said again in other words.
        ...(told.has(`${session} ${promptNumber}`) ? [] : [subtitle, ...facts.slice(0, 1)])
          .filter((text) => text !== "")
          .map((text) => ({ text, label: "—", as: "plain" as const })),
      ],
      wanted: 320,
      least: 60,
    }),
  );
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
