// All sessions, newest first.
import { useEffect, useState } from "preact/hooks";
import { addressOf } from "../address.ts";
import { get } from "../api.ts";
import { MarkWords } from "../parts/marks.tsx";
import { Said } from "../parts/said.tsx";
import { Time } from "../parts/time.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useAsked } from "../use-asked.ts";
import { counted } from "../words.ts";

const pageSize = 50;
const most = 500;

/** The list. */
export function SessionsView() {
  const [limit, setLimit] = useState(pageSize);
  const { answer, error } = useAsked(
    `${limit}`,
    (signal) => get("/api/sessions", { query: { limit } }, signal),
    { freshens: ({ what }) => what.includes("records") },
  );
  useEffect(() => {
    document.title = "Sessions · memoir";
  }, []);
  return (
    <div>
      <h1>Sessions</h1>
      {error !== undefined && <Trouble error={error} />}
      {answer?.sessions.length === 0 && <p class="empty">No session is remembered yet.</p>}
      <ol class="hits">
        {answer?.sessions.map((session) => (
          <li key={session.id}>
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
                {counted(session.prompts, "prompt")} ·{" "}
                {counted(session.observations, "observation")}
                {session.status === "active" && " · open"}
              </span>
            </a>
          </li>
        ))}
      </ol>
      {answer && answer.sessions.length >= limit && limit < most && (
        <button type="button" onClick={() => setLimit(Math.min(most, limit + pageSize))}>
          More
        </button>
      )}
      {answer && answer.sessions.length >= most && (
        <p class="hint">
          Older ones are found by <a href="/search?kind=session">searching</a>.
        </p>
      )}
    </div>
  );
}

/** What the user made of a record. */
export function marksOf(record: { pinned?: unknown; hidden?: unknown; edited?: unknown }) {
  return (["pinned", "hidden", "edited"] as const).filter((mark) => record[mark] !== undefined);
}
