// Memory that is shared with other machines and people: where, what waits, and what came from whom. Read-only: invitations stay in the terminal.
import type { Answer } from "../../../server/route-types.ts";
import { size } from "../../../text/amounts.ts";
import { get } from "../../api.ts";
import { Said } from "../../parts/said.tsx";
import { Time } from "../../parts/time.tsx";
import { NotYet, Trouble } from "../../parts/trouble.tsx";
import { useAsked } from "../../use-asked.ts";
import { counted } from "../../words.ts";

type Space = Answer<"/api/sync">["spaces"][number];

/** What `memoir sync status` says. */
export function SyncPart() {
  const { answer, error } = useAsked("sync", (signal) => get("/api/sync", {}, signal), {
    everyMs: 30_000,
    freshens: ({ what }) => what.includes("records"),
  });
  if (!answer) return <NotYet error={error} />;
  const { hub, spaces, lastAt } = answer;
  const wrong = spaces.flatMap(({ lost, streams }) => [lost, ...streams.map((one) => one.stuck)]);
  const trouble = hub?.trouble ?? answer.trouble ?? wrong.find((one) => one !== null) ?? null;
  return (
    <>
      {error !== undefined && <Trouble error={error} />}
      <p class={trouble ? "verdict fail" : "verdict ok"} role="status">
        <Said
          inline
          text={trouble ?? (hub ? "Memory is shared." : "Memory stays on this machine.")}
        />
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
          Share it between your machines with <code>memoir sync init</code> and a folder that
          another program syncs, or take up an invitation with <code>memoir sync join</code>.
        </p>
      )}
      {spaces.map((space) => (
        <SpacePart key={space.id} space={space} />
      ))}
    </>
  );
}

function SpacePart({ space }: { space: Space }) {
  const { kind, members, role, projects, waiting, lost, streams, lastHere } = space;
  const named = projects.join(", ");
  const what =
    kind === "mine" ? `all projects${named && ` but ${named}`}` : named || "no project yet";
  return (
    <section>
      <h2>
        {kind === "mine" ? "Your own space" : "Team space"}{" "}
        <small>{counted(members, "member")}</small>
      </h2>
      <p class="hint">
        <Said inline text={`Shares ${what}.`} />{" "}
        {role === "reader"
          ? "You may only read."
          : `To be sent: ${waiting === 0 ? "nothing" : counted(waiting, "change")}${waiting < 1_000 ? "" : " or more"}.`}
        {lastHere !== null && (
          <>
            {" Last here: "}
            <Said inline text={[lastHere.person, lastHere.machine].filter(Boolean).join(", ")} />{" "}
            <Time at={lastHere.at} />
          </>
        )}
      </p>
      {lost !== null && (
        <p class="bad">
          <Said inline text={lost} />
        </p>
      )}
      {streams.length > 0 && (
        <table class="sizes">
          <thead>
            <tr>
              <th>From</th>
              <th>Machine</th>
              <th>Last came</th>
            </tr>
          </thead>
          <tbody>
            {streams.map(({ person, machine, at, stuck }) => (
              <tr key={`${person} ${machine}`}>
                <td>
                  <Said inline text={person} />
                </td>
                <td>
                  <Said inline text={machine} />
                </td>
                <td>
                  <Time at={at} />
                  {stuck !== null && (
                    <span class="bad">
                      {" "}
                      <Said inline text={stuck} />
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
