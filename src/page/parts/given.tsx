// What a session was given at one moment, and what Endless Mode removed from it: counted, and all of it at a click.
import { useState } from "preact/hooks";
import type { Answer } from "../../server/route-types.ts";
import { addressOf } from "../address.ts";
import { useGet } from "../use-asked.ts";
import { counted, timeOfDay } from "../words.ts";
import { Dialog } from "./dialog.tsx";
import { Folded } from "./folded.tsx";
import { MarkWords } from "./marks.tsx";
import { Said, Title } from "./said.tsx";
import { NotYet } from "./trouble.tsx";

type SessionTold = Answer<"/api/sessions/:id/told">;
/** One time that something was told. */
export type ToldText = SessionTold["told"][number];
/** One tool use's input or output. */
export type TakenOut = SessionTold["takenOut"][number];

const occasions: Readonly<Record<string, string>> = {
  SessionStart: "Given at the start",
  UserPromptSubmit: "Given with the prompt",
};

interface GivenProps {
  told: readonly ToldText[];
  takenOut: readonly TakenOut[];
  records: SessionTold["records"];
}

/** Nothing where there was nothing. */
export function Given({ told, takenOut, records }: GivenProps) {
  return (
    <>
      {told.map((one) => (
        <ToldThen key={`${one.time} ${one.event}`} told={one} records={records} />
      ))}
      {takenOut.length > 0 && <TakenThen takenOut={takenOut} />}
    </>
  );
}

function ToldThen({ told, records }: { told: ToldText; records: SessionTold["records"] }) {
  const { event, tokens, time } = told;
  const there = told.records.flatMap((id) => records.find((one) => one.id === id) ?? []);
  const gone = told.records.length - there.length;
  return (
    <Folded
      title={`${occasions[event] ?? "Given along the way"}: ${counted(told.records.length, "record")}, about ${counted(tokens, "token")}`}
    >
      {() => (
        <>
          <ul>
            {there.map(({ id, kind, words, marks }) => (
              <li key={id}>
                <a href={addressOf(kind, id)}>
                  {id}: <Title text={words} />
                </a>{" "}
                <MarkWords marks={marks} />
              </li>
            ))}
          </ul>
          <p class="hint">
            At {timeOfDay(time)}. Shown as it is now.
            {gone > 0 && ` ${counted(gone, "record")} of it deleted since.`}
          </p>
        </>
      )}
    </Folded>
  );
}

function TakenThen({ takenOut }: { takenOut: readonly TakenOut[] }) {
  const [shown, show] = useState<TakenOut | undefined>();
  const characters = takenOut.reduce((sum, one) => sum + one.characters, 0);
  return (
    <Folded
      title={`Removed by Endless Mode: parts of ${counted(takenOut.length, "result")} of ${counted(characters, "character")}`}
    >
      {() => (
        <>
          <ul>
            {takenOut.map((one) => (
              <li key={`${one.toolUseId} ${one.part}`}>
                <Said inline text={one.tool} />
                {one.part === "input" && ", what went in"} · {counted(one.characters, "character")}{" "}
                ·{" "}
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Show all of it: ${one.toolUseId}, ${one.part}`}
                  onClick={() => show(one)}
                >
                  Show all of it
                </button>
              </li>
            ))}
          </ul>
          {shown && <WholeDialog part={shown} close={() => show(undefined)} />}
        </>
      )}
    </Folded>
  );
}

/** Looking at it here is not the agent's fetching it back, and is not counted as that. */
function WholeDialog({
  part: { toolUseId, tool, part },
  close,
}: {
  part: TakenOut;
  close(): void;
}) {
  const [page, setPage] = useState(1);
  const { answer, error } = useGet("/api/recall/:id", {
    params: { id: toolUseId },
    query: { part, page },
  });
  return (
    <Dialog title={`${tool}: all of its ${part}`} close={close}>
      {answer ? (
        <>
          <div class="output">
            <Said text={answer.recalled.text} />
          </div>
          <p class="hint">
            Page {answer.recalled.page} of {answer.recalled.pages},{" "}
            {counted(answer.recalled.characters, "character")} in all.
          </p>
        </>
      ) : (
        <NotYet error={error} />
      )}
      <p class="buttons">
        {page > 1 && (
          <button type="button" onClick={() => setPage(page - 1)}>
            Previous page
          </button>
        )}
        {answer && page < answer.recalled.pages && (
          <button type="button" onClick={() => setPage(page + 1)}>
            Next page
          </button>
        )}
        <button type="button" class="main" onClick={close}>
          Close
        </button>
      </p>
    </Dialog>
  );
}
