// Memory that is shared with other machines and people: where, which projects, what waits, what came from whom, and what is done about it.
import { useEffect, useRef, useState } from "preact/hooks";
import { size } from "../../../text/amounts.ts";
import { get } from "../../api.ts";
import { Act } from "../../parts/act.tsx";
import { WithCode } from "../../parts/code.tsx";
import { Folded } from "../../parts/folded.tsx";
import { Heads } from "../../parts/heads.tsx";
import { Said } from "../../parts/said.tsx";
import { Time } from "../../parts/time.tsx";
import { NotYet, Trouble } from "../../parts/trouble.tsx";
import { byRecords, useAsked, useGet } from "../../use-asked.ts";
import { counted } from "../../words.ts";
import {
  ActDialog,
  type Deed,
  init,
  invite,
  join,
  leave,
  type Member,
  nameOf,
  remove,
  type Space,
  share,
} from "./sync-acts.tsx";

type Begin = (act: Deed) => void;

/** What `memoir sync status` and `members` say, and the rest of `memoir sync` as buttons. */
export function SyncPart() {
  const { answer, error, again } = useGet("/api/sync", {}, { everyMs: 30_000, ...byRecords });
  const [act, begin] = useState<Deed>();
  const [said, setSaid] = useState({ words: "", round: 0 });
  const line = useRef<HTMLParagraphElement>(null);
  // What was pressed may be gone by then.
  useEffect(() => {
    if (said.round > 0) line.current?.focus();
  }, [said]);
  const done = (words: string) => {
    begin(undefined);
    setSaid({ words, round: said.round + 1 });
    again();
  };
  if (!answer) return <NotYet error={error} />;
  const { hub, spaces, lastAt } = answer;
  const wrong = spaces.flatMap(({ lost, streams }) => [lost, ...streams.map((one) => one.stuck)]);
  const trouble = hub?.trouble ?? answer.trouble ?? wrong.find((one) => one !== null) ?? null;
  return (
    <>
      {error !== undefined && <Trouble error={error} />}
      <p class={trouble ? "verdict fail" : "verdict ok"} role="status">
        <WithCode text={trouble ?? (hub ? "Memory is shared." : "Memory stays on this machine.")} />
      </p>
      {hub ? (
        <p class="hint">
          Through <Said inline text={hub.where} />
          {hub.bytes !== null && `, ${size(hub.bytes)}`}
          {lastAt === null ? ", not synced yet" : ", last synced "}
          {lastAt !== null && <Time at={lastAt} />}
        </p>
      ) : (
        <p class="hint">
          Share it between your machines or with a team, through a folder that another program syncs
          or a PostgreSQL database. Neither can read it.
        </p>
      )}
      <div class="actions">
        {(spaces.length < 2 || trouble !== null) &&
          [init("folder"), init("postgres"), join].map((one) => (
            <Act key={one.title} words={one.title} label={one.title} onClick={() => begin(one)} />
          ))}
        <p ref={line} class="hint" role="status" tabIndex={-1}>
          {said.words}
        </p>
      </div>
      {spaces.map((space) => (
        <SpacePart
          key={space.id}
          {...{ space, begin, round: said.round, isAway: hub?.ok !== true }}
        />
      ))}
      {act && <ActDialog {...{ act, done }} close={() => begin(undefined)} />}
    </>
  );
}

interface SpaceProps {
  space: Space;
  begin: Begin;
  /** How often something was done here: who is in it is asked for again then. */
  round: number;
  /** The hub does not answer, which stands above. */
  isAway: boolean;
}

function SpacePart({ space, begin, round, isAway }: SpaceProps) {
  const { kind, members, role, projects, waiting, lost } = space;
  const named = projects.join(", ");
  const what =
    kind === "mine" ? `all projects${named && ` but ${named}`}` : named || "no project yet";
  const name = kind === "mine" ? "Your own space" : "Team space";
  return (
    <section aria-label={name}>
      <h2>
        {name} <small>{counted(members, "member")}</small>
      </h2>
      <p class="hint">
        <Said inline text={`Shares ${what}.`} />{" "}
        {role === "reader"
          ? "You may only read."
          : `To be sent: ${waiting === 0 ? "nothing" : counted(waiting, "change")}${waiting < 1_000 ? "" : " or more"}.`}
      </p>
      {lost !== null && (
        <p class="bad">
          <WithCode text={lost} />
        </p>
      )}
      <People {...{ space, begin, round, isAway }} />
      {role !== "reader" && lost === null && (
        <Folded title={kind === "mine" ? "Which projects stay here" : "Which projects are shared"}>
          {() => <Projects {...{ space, begin }} />}
        </Folded>
      )}
      <p class="actions">
        {role === "owner" && lost === null && (
          <Act words="Invite" label={`Invite to: ${name}`} onClick={() => begin(invite(space))} />
        )}
        <Act words="Leave" label={`Leave: ${name}`} onClick={() => begin(leave(space))} />
      </p>
    </section>
  );
}

/** Who is in it and when each was here, what came from whom; where the hub is away, those of whom something came. */
function People({ space, begin, round, isAway }: SpaceProps) {
  const { id, kind, streams, role, members: count, lastHere } = space;
  const question = [id, round, isAway, count, lastHere?.at].join(" ");
  const { answer, error } = useAsked(question, (signal) =>
    get("/api/sync/members", { query: { space: kind } }, signal),
  );
  const members: Member[] = answer?.members ?? [];
  const gone = streams
    .filter(({ member }) => !members.some((one) => one.id === member))
    .map(({ member, person, machine }) => ({
      ...{ id: member, person, machine, role: answer ? "removed" : "", kind: "home" },
      ...{ isSelf: false, until: null, seenAt: null },
    }));
  if (members.length + gone.length === 0) return isAway ? null : <NotYet error={error} />;
  return (
    <>
      {error !== undefined && !isAway && <Trouble error={error} />}
      <table class="figures">
        <Heads of={["Who", "Role", "Here last", "Last came", "Change"]} />
        <tbody>
          {[...members, ...gone].map((member) => {
            const came = streams.filter((one) => one.member === member.id);
            const stuck = came.find((one) => one.stuck !== null)?.stuck;
            const isIn = members.includes(member);
            return (
              <tr key={member.id}>
                <th scope="row">
                  <Said inline text={member.person} />
                  <span class="foot">
                    <Said inline text={member.machine} />
                    {member.isSelf && " · this home"}
                  </span>
                  {stuck && (
                    <span class="foot bad">
                      <Said inline text={stuck} />
                    </span>
                  )}
                </th>
                <td data-name="role">
                  {member.kind === "home" ? member.role : `${member.kind} (${member.role})`}
                  {member.until !== null && (
                    <>
                      {" until "}
                      <Time at={member.until} />
                    </>
                  )}
                </td>
                <td data-name="here last">
                  {member.seenAt === null ? "–" : <Time at={member.seenAt} />}
                </td>
                <td data-name="last came">
                  {came.length === 0 ? "–" : <Time at={Math.max(...came.map(({ at }) => at))} />}
                </td>
                <td>
                  {role === "owner" && isIn && !member.isSelf && (
                    <Act
                      words="Remove"
                      label={`Remove ${nameOf(member)}`}
                      onClick={() => begin(remove(space, member))}
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

/** Each with what memory holds of it. One that is listed may be named before anything of it is stored. */
function Projects({ space, begin }: Pick<SpaceProps, "space" | "begin">) {
  const { answer, error } = useGet("/api/projects", {});
  if (!answer) return <NotYet error={error} />;
  const ids = answer.projects.flatMap((one) => [one.id, ...one.ids]);
  const unknown = space.projects
    .filter((id) => !ids.includes(id))
    .map((id) => ({ id, ids: [id], name: id, sessions: 0 }));
  const all = [...answer.projects, ...unknown];
  if (all.length === 0) return <p class="hint">No project yet.</p>;
  return (
    <ul class="parked">
      {all.map(({ id, ids: own, name, sessions }) => {
        const isListed = [id, ...own].some((one) => space.projects.includes(one));
        const isShared = isListed === (space.kind === "team");
        const words = isShared ? "Keep local" : "Share";
        return (
          <li key={id}>
            <div>
              <strong>
                <Said inline text={name} />
              </strong>
              <span class="foot">
                <Said inline text={id} /> · {counted(sessions, "session")} ·{" "}
                {isShared ? "shared" : "stays here"}
              </span>
            </div>
            <Act
              words={words}
              label={`${words}: ${name}`}
              onClick={() => begin(share(space, { id, name }, !isShared))}
            />
          </li>
        );
      })}
    </ul>
  );
}
