// The turns of a recorded session, made of its events and its lines without a server: for tests that read real recordings.
import { SessionEvents } from "../../src/clients/normal/transcript-events.ts";
import { createTurnReader } from "../../src/evidence/from-transcript.ts";
import { makeTurn } from "../../src/evidence/make-turn.ts";
import { mergeMoments, momentsOfEvent, type PromptMark } from "../../src/evidence/moment.ts";
import { relativeTo } from "../../src/evidence/tools.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import type { NewTurn } from "../../src/sdk/turn.ts";
import { fileChunks, readEntries } from "../../src/transcript/read.ts";

/** Every turn of the file, in order. */
export async function turnsOfFile(path: string): Promise<NewTurn[]> {
  const session = "recorded";
  const source = new SessionEvents({ session, transcriptPath: path });
  const byPrompt = new Map<number, ClientEvent[]>();
  const marks: PromptMark[] = [];
  let number = 0;
  const take = (event: ClientEvent) => {
    if (event.name === "UserPromptSubmit") {
      number++;
      const { prompt: text, time, promptId } = event;
      marks.push({ number, text, time, ...(promptId !== undefined && { promptId }) });
    }
    byPrompt.set(number, [...(byPrompt.get(number) ?? []), event]);
  };
  for await (const entry of readEntries(fileChunks(path)))
    for (const { event } of source.add(entry)) take(event);
  for (const { event } of source.end(true)) take(event);
  const first = byPrompt.values().next().value?.[0];
  const relative = relativeTo(first?.cwd ?? "");
  const reader = createTurnReader(
    [{ number: 0, text: "", time: Number.NEGATIVE_INFINITY }, ...marks],
    relative,
  );
  for await (const entry of readEntries(fileChunks(path))) reader.add(entry);
  const turns: NewTurn[] = [];
  for (let prompt = 0; prompt <= number; prompt++) {
    const told = (byPrompt.get(prompt) ?? []).flatMap((event) => momentsOfEvent(event, relative));
    const written = reader.moments().get(prompt) ?? [];
    const moments = mergeMoments(told, written);
    const startedAt = marks[prompt - 1]?.time ?? moments[0]?.time ?? 0;
    const frame = { session, client: "claude-code", project: "p", promptNumber: prompt, startedAt };
    const turn = makeTurn(frame, moments, relative);
    if (turn) turns.push(turn);
  }
  return turns;
}
