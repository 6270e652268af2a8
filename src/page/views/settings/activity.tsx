// What goes on: open sessions, what was captured and what became of it, what waits, and what the last session was told.
import type { Answer } from "../../../server/route-types.ts";
import { addressOf } from "../../address.ts";
import { Said, Title } from "../../parts/said.tsx";
import { Time } from "../../parts/time.tsx";
import { Empty, NotYet, Trouble } from "../../parts/trouble.tsx";
import { useGet } from "../../use-asked.ts";
import { counted } from "../../words.ts";

type Now = Answer<"/api/now">;
type Happened = Now["happened"][number];

/** The view. */
export function ActivityPart() {
  const { answer, error } = useGet("/api/now", {}, { freshens: () => true });
  if (!answer) return <NotYet error={error} />;
  return (
    <div>
      {error !== undefined && <Trouble error={error} />}
      <Waiting of={answer} />
      {answer.taken === 0 && answer.sessions.length === 0 ? (
        <Nothing />
      ) : (
        <div class="two">
          <div>
            <Sessions of={answer} />
            <Happening of={answer} />
          </div>
          <aside class="made" aria-label="Given and left out">
            <Told of={answer} />
            <LeftOut of={answer} />
          </aside>
        </div>
      )}
    </div>
  );
}

/** In a line: whether there is anything to wait for, or to look after. */
function Waiting({ of: { waiting, spool } }: { of: Now }) {
  const { events, work, underWay, parked, oldestAt } = waiting;
  const parts = [
    events > 0 && `${counted(events, "event")} waiting for the end of a prompt`,
    work + underWay > 0 && `${counted(work + underWay, "job")} to do`,
    spool > 0 && `${counted(spool, "event")} waiting in the spool`,
  ].filter((part) => part !== false);
  return (
    <p class="hint" role="status">
      {parts.length === 0 ? "Nothing is waiting." : `${parts.join(", ")}.`}
      {oldestAt !== null && parts.length > 0 && (
        <>
          {" "}
          The oldest is from <Time at={oldestAt} />.
        </>
      )}
      {parked > 0 && (
        <>
          {" "}
          <a class="bad" href="/settings/health">
            {counted(parked, "job")} failed.
          </a>
        </>
      )}
    </p>
  );
}

function Sessions({ of: { sessions, titles } }: { of: Now }) {
  if (sessions.length === 0)
    return <p class="hint">No session is live: none sent an event in the last hour.</p>;
  return (
    <section aria-labelledby="open-sessions">
      <h2 id="open-sessions">Live sessions</h2>
      <ul class="hits">
        {sessions.map(({ session, client, project, prompts, lastEventAt }) => (
          <li key={session}>
            <a class="hit" href={addressOf("session", session)}>
              <strong>
                <Title text={titles[session]} />
              </strong>
              <span class="foot">
                <Said inline text={project.name} /> · {client} · {counted(prompts, "prompt")} · last
                event <Time at={lastEventAt} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const names: Readonly<Record<string, string>> = {
  SessionStart: "session began",
  UserPromptSubmit: "you asked",
  PostToolUse: "did",
  PostToolUseFailure: "failed",
  Stop: "answer",
};

function Happening({ of }: { of: Now }) {
  if (of.happened.length === 0) return null;
  return (
    <section aria-labelledby="captured">
      <h2 id="captured">Captured</h2>
      <ol class="feed">
        {of.happened.map((one, at) => (
          <li key={one.seq} class={one.name === "UserPromptSubmit" ? "prompted" : ""}>
            <span class="foot">
              <Time at={one.time} />
            </span>
            <div>
              <a class="what" href={placeOf(one)}>
                <span class={`kind ${one.name === "PostToolUseFailure" ? "failure" : ""}`}>
                  {names[one.name] ?? one.name}
                </span>{" "}
                <Said
                  inline
                  text={one.name === "SessionStart" ? titleOf(of, one) : one.about || "no words"}
                />
              </a>
              {!isSame(one, of.happened[at - 1]) && <Became of={of} one={one} />}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Uses of a tool that something was made of together say so once. */
function isSame({ observations }: Happened, newer: Happened | undefined): boolean {
  return observations.length > 0 && observations.join() === newer?.observations.join();
}

const titleOf = ({ titles }: Now, { session, about }: Happened) => titles[session] ?? about;

const placeOf = ({ session, promptNumber }: Happened) =>
  `${addressOf("session", session)}#prompt-${promptNumber}`;

/** What was made of it, or why nothing was. */
function Became({ of: { records }, one }: { of: Now; one: Happened }) {
  const { outcome, reason, observations, name } = one;
  if (name === "SessionStart") return null;
  if (outcome === null && name === "Stop") return null;
  if (outcome === null) return <span class="foot">waiting</span>;
  if (outcome === "parked") return <span class="foot bad">failed: {reason}</span>;
  if (observations.length > 0)
    return (
      <span class="foot">
        made from it:{" "}
        {observations.map((id, at) => (
          <>
            {at > 0 && ", "}
            <a key={id} href={addressOf("observation", id)}>
              <Title text={records[id]?.title || id} />
            </a>
          </>
        ))}
      </span>
    );
  if (outcome === "skipped")
    return <span class="foot">nothing made from it{reason === null ? "" : `: ${reason}`}</span>;
  return null;
}

const toldAt: Readonly<Record<string, string>> = {
  SessionStart: "at the start",
  UserPromptSubmit: "with a prompt",
};

function Told({ of: { told, titles, records } }: { of: Now }) {
  const [first] = told;
  if (!first) return <p class="hint">No session got a context yet.</p>;
  return (
    <section aria-labelledby="told">
      <h2 id="told">What the last session was given</h2>
      <p class="foot">
        <a href={addressOf("session", first.session)}>
          <Title text={titles[first.session] ?? first.session} />
        </a>
      </p>
      {told.map(({ time, event, tokens, records: ids }) => (
        <div key={`${time} ${event}`} class="given">
          <h3>
            {toldAt[event] ?? `at ${event}`} · <Time at={time} /> · {counted(tokens, "token")}
          </h3>
          <ul>
            {ids.map((id) => (
              <li key={id}>
                {records[id] ? (
                  <a href={addressOf(records[id].kind, id)}>
                    <Title text={records[id].title || id} />
                  </a>
                ) : (
                  <span class="hint">{id}, deleted since</span>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function LeftOut({ of: { leftOut, taken } }: { of: Now }) {
  const reasons = Object.entries(leftOut).sort(([, a], [, b]) => b - a);
  return (
    <section aria-labelledby="left-out">
      <h2 id="left-out">Left out, and why</h2>
      <p class="foot">{counted(taken, "event")} captured in all.</p>
      {reasons.length === 0 ? (
        <p class="hint">Nothing was left out.</p>
      ) : (
        <ul class="counts">
          {reasons.slice(0, 12).map(([reason, count]) => (
            <li key={reason}>
              <Said inline text={reason} /> <span class="foot">{counted(count, "event")}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const Nothing = () => (
  <Empty title="Nothing captured yet">
    <p>
      What you ask and what your agent does appears here a moment later. Sessions that were open
      before the install count once they restart; <code>memoir doctor</code> checks that your agent
      runs memoir.
    </p>
  </Empty>
);
