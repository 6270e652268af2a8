// What the user pinned: told first, each in its share of half the room. Pure.
import { whoSaid } from "./decided.ts";
import type { Pinned } from "./gather.ts";
import type { Line, Saying } from "./line.ts";
import { type Note, typed } from "./note.ts";

/** Characters for one, whatever the room. */
const least = 120;
const most = 600;

/** In the order given: above all else, so that each has its room. */
export function pinnedLines(pinned: readonly Pinned[], note: Note, room: number): Line[] {
  const wanted = Math.min(most, Math.max(least, Math.floor(room / 2 / pinned.length)));
  return pinned.map((one, at) => ({
    section: "pinned",
    rank: 1.5 - at * 0.01,
    ids: [one.record.id],
    head: `${headOf(one, note)}:`,
    sayings: () => sayingsOf(one, note).filter(({ text }) => text.trim() !== ""),
    wanted,
    least: 40,
  }));
}

function headOf(one: Pinned, note: Note): string {
  const { clock, labels } = note;
  const { id } = one.record;
  switch (one.kind) {
    case "memory":
      return `${id} · ${one.record.date} · ${whoSaid(one.record, note)}`;
    case "observation":
      return `${id} · ${clock.day(one.record.time)} · ${one.record.type}`;
    case "summary":
      return `${id} · ${clock.day(one.record.time)} · ${labels.summary}`;
    case "turn":
      return `${id} · ${clock.day(one.record.startedAt)} ${clock.time(one.record.startedAt)}`;
  }
}

function sayingsOf(one: Pinned, note: Note): Saying[] {
  switch (one.kind) {
    case "memory":
      return [{ text: one.record.content, as: "user" }];
    case "observation": {
      const { title, subtitle, facts, narrative } = one.record;
      const rest = facts.length > 0 ? facts : [narrative];
      return [title, subtitle, ...rest].map((text) => ({ text, as: "plain" }));
    }
    case "summary": {
      const { request, completed, learned, nextSteps } = one.record;
      return [request, completed, learned, nextSteps].map((text) => ({ text, as: "plain" }));
    }
    case "turn": {
      const { pieces } = one.record;
      const prompt = pieces.find(({ kind }) => kind === "prompt")?.text ?? "";
      const closing = pieces.findLast(({ kind }) => kind === "closing")?.text ?? "";
      return [
        { text: typed(prompt, note), as: "user" },
        { text: closing, as: "quote" },
      ];
    }
  }
}
