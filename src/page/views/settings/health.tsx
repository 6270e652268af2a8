// How memoir fares: what `memoir doctor` says, work that failed for good, and how much room everything takes.
import { useState } from "preact/hooks";
import type { Answer } from "../../../server/route-types.ts";
import { size } from "../../../text/amounts.ts";
import { addressOf } from "../../address.ts";
import { post } from "../../api.ts";
import { WithCode } from "../../parts/code.tsx";
import { Heads } from "../../parts/heads.tsx";
import { Said } from "../../parts/said.tsx";
import { Time } from "../../parts/time.tsx";
import { NotYet, Trouble } from "../../parts/trouble.tsx";
import { useGet } from "../../use-asked.ts";
import { useWork } from "../../use-work.ts";
import { counted } from "../../words.ts";

type Health = Answer<"/api/health">;
type Check = Health["checks"][number];

/** The view. */
export function HealthPart() {
  const { answer, error, again } = useGet(
    "/api/health",
    {},
    { freshens: ({ what }) => what.includes("worked") || what.includes("plugins"), everyMs: 5_000 },
  );
  if (!answer) return <NotYet error={error} />;
  const { checks, version, home, log } = answer;
  return (
    <div class="health">
      {error !== undefined && <Trouble error={error} />}
      <Verdict checks={checks} />
      <Parked of={answer} again={again} />
      <h2 class="unseen">Checks</h2>
      <ul class="checks">
        {[...checks]
          .sort((a, b) => weight[b.state] - weight[a.state])
          .map((check) => (
            <CheckLine key={`${check.name} ${check.message}`} check={check} />
          ))}
      </ul>
      <Sizes sizes={answer.sizes} />
      <p class="foot">
        memoir {version} · <Said inline text={home} /> · its log: <Said inline text={log} />
      </p>
      <p class="hint">
        <code>memoir doctor</code> also checks your agents’ own settings.
      </p>
    </div>
  );
}

const weight = { fail: 2, warn: 1, ok: 0 };
const marks = { fail: "✗", warn: "!", ok: "✓" };
const words = { fail: "failed", warn: "warning", ok: "ok" };

function Verdict({ checks }: { checks: Check[] }) {
  const count = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  const [failed, warned] = [count("fail"), count("warn")];
  return (
    <p class={`verdict ${failed > 0 ? "fail" : warned > 0 ? "warn" : "ok"}`} role="status">
      {failed + warned === 0
        ? "Everything works."
        : [failed > 0 && `${failed} failed`, warned > 0 && counted(warned, "warning")]
            .filter(Boolean)
            .join(", ")}
    </p>
  );
}

function CheckLine({ check: { name, state, message, fix } }: { check: Check }) {
  return (
    <li class={state}>
      <span class="mark" aria-hidden="true">
        {marks[state]}
      </span>
      <span class="unseen">{words[state]}: </span>
      <strong>{name}</strong>
      <div>
        <WithCode text={message} />
        {fix !== undefined && (
          <p class="foot">
            <WithCode text={fix} />
          </p>
        )}
      </div>
    </li>
  );
}

const kinds: Readonly<Record<Health["parked"][number]["kind"], string>> = {
  prompt: "keeping a prompt",
  turn: "keeping what happened",
  observe: "observing tool uses",
  "summarize-prompt": "summarizing a prompt",
  "summarize-session": "summarizing a session",
};

/** Failed work after its last try, and a button that puts it back. */
function Parked({ of: { parked, parkedWork }, again }: { of: Health; again(): void }) {
  const { busy, error, run } = useWork();
  const [said, setSaid] = useState("");

  const retry = (ids?: number[]) =>
    run(async () => {
      const { retried } = await post("/api/retry", { body: ids ? { ids } : {} });
      setSaid(`${counted(retried, "job")} retried.`);
      again();
    });
  return (
    <>
      <p class="hint" role="status">
        {said}
      </p>
      {error !== undefined && <Trouble error={error} />}
      {parkedWork > 0 && (
        <section aria-labelledby="parked">
          <h2 id="parked">Failed work</h2>
          <p>
            {counted(parkedWork, "job")} failed after the last try. Nothing is lost: fix the reason,
            then retry.
          </p>
          <ul class="parked">
            {parked.map(({ id, kind, session, reason, at }) => (
              <li key={id}>
                <div>
                  <strong>{kinds[kind]}</strong>{" "}
                  <a href={addressOf("session", session)}>in its session</a>{" "}
                  <span class="foot">
                    <Time at={at} /> · <Said inline text={reason} />
                  </span>
                </div>
                <button
                  type="button"
                  disabled={busy}
                  aria-label={`Retry: ${kinds[kind]}, job ${id}`}
                  onClick={() => void retry([id])}
                >
                  Retry
                </button>
              </li>
            ))}
          </ul>
          <button type="button" class="main" disabled={busy} onClick={() => void retry()}>
            Retry all
          </button>
        </section>
      )}
    </>
  );
}

function Sizes({ sizes }: { sizes: Health["sizes"] }) {
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = Math.max(1, ...sizes.map(({ bytes }) => bytes));
  return (
    <section aria-labelledby="sizes">
      <h2 id="sizes">On disk, and how long it is kept</h2>
      <table class="sizes">
        <Heads of={["What", "Size", "Kept"]} />
        <tbody>
          {sizes.map(({ name, bytes, bound }) => (
            <tr key={name}>
              <th scope="row">
                <Said inline text={name} />
              </th>
              <td>
                {size(bytes)}
                <meter aria-hidden="true" value={bytes} max={largest} />
              </td>
              <td>
                <WithCode text={bound} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td>{size(all)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
