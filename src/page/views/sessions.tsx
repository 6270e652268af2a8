// All sessions, newest first.
import { useEffect } from "preact/hooks";
import type { Marks } from "../../sdk/turn.ts";
import type { Answer } from "../../server/route-types.ts";
import { addressOf } from "../address.ts";
import { get } from "../api.ts";
import { ManyBar } from "../parts/many-bar.tsx";
import { MarkWords } from "../parts/marks.tsx";
import { Pages } from "../parts/pages.tsx";
import { Pick } from "../parts/pick.tsx";
import { Said } from "../parts/said.tsx";
import { Time } from "../parts/time.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { type Selection, useSelection } from "../selection.ts";
import { type AskedHow, useAsked } from "../use-asked.ts";
import { counted } from "../words.ts";

const pageSize = 25;

/** The list. */
export function SessionsView() {
  const ask = async (page: { limit: number; offset: number }, signal: AbortSignal) =>
    (await get("/api/sessions", { query: page }, signal)).sessions;
  const how: AskedHow = { freshens: ({ what }) => what.includes("records") };
  const { answer, error } = useAsked(
    "sessions",
    (signal) => ask({ limit: pageSize, offset: 0 }, signal),
    how,
  );
  const selection = useSelection("sessions");
  useEffect(() => {
    document.title = "Sessions · memoir";
  }, []);
  return (
    <div>
      <h1>Sessions</h1>
      {error !== undefined && <Trouble error={error} />}
      {answer?.length === 0 && <p class="empty">No session is remembered yet.</p>}
      <ManyBar selection={selection} />
      {answer && (
        <Pages
          {...{ ask, how, question: "sessions", size: pageSize, first: answer, row: 97 }}
          draw={(session) => (
            <SessionRow key={session.id} session={session} selection={selection} />
          )}
        />
      )}
    </div>
  );
}

interface RowProps {
  session: Answer<"/api/sessions">["sessions"][number];
  selection: Selection;
}

function SessionRow({ session, selection }: RowProps) {
  const { id, title } = session;
  const one = { id, kind: "session" as const, words: title, marks: marksOf(session) };
  return (
    <li class={selection.has(id) ? "chosen" : ""}>
      <Pick one={one} selection={selection} />
      <a class="hit" href={addressOf("session", session.id)}>
        <span class="head">
          <MarkWords marks={marksOf(session)} />
        </span>
        <strong>
          <Said inline text={session.title || "Without a title"} />
        </strong>
        {session.subtitle !== "" && (
          <span class="excerpt">
            <Said inline text={session.subtitle} />
          </span>
        )}
        <span class="foot">
          <Said inline text={session.project.name} /> · <Time at={session.lastActiveAt} /> ·{" "}
          {counted(session.prompts, "prompt")} · {counted(session.observations, "observation")}
          {session.status === "active" && " · open"}
        </span>
      </a>
    </li>
  );
}

/** What the user made of a record. */
export function marksOf(record: { [Mark in keyof Marks]?: unknown }) {
  const all = ["pinned", "hidden", "merged", "edited"] as const;
  return all.filter((mark) => record[mark] !== undefined);
}
