// One plugin: what it is, its switch, what it listens to and what that took, and its options.
import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../../server/route-types.ts";
import { get, post } from "../../api.ts";
import { WithCode } from "../../parts/code.tsx";
import { Said } from "../../parts/said.tsx";
import { Time } from "../../parts/time.tsx";
import { NotYet, Trouble } from "../../parts/trouble.tsx";
import { useAsked } from "../../use-asked.ts";
import { useWork } from "../../use-work.ts";
import { OptionsForm } from "./options-form.tsx";
import { isOn, stateWords } from "./plugin-words.ts";

type About = Answer<"/api/plugins/:name">;

const newHooks = " Your agents have to send other events for it: run memoir install.";

/** The view. */
export function PluginView({ name }: { name: string }) {
  const { answer, error, again } = useAsked(
    name,
    (signal) => get("/api/plugins/:name", { params: { name } }, signal),
    { freshens: () => true, everyMs: 5_000 },
  );
  useEffect(() => {
    document.title = `${name.slice(0, 80)} · Plugins · memoir`;
  }, [name]);
  if (!answer) return <NotYet error={error} />;
  const { plugin, subscriptions, options } = answer;
  return (
    <article class="plugin">
      <header class="head-of-view">
        <p class="foot">
          <a href="/plugins">Plugins</a>
        </p>
        <h1>
          <Said inline text={plugin.name} />
        </h1>
        {error !== undefined && <Trouble error={error} />}
        <Said text={plugin.description} />
        <p class="foot">
          {stateWords(plugin)} ·{" "}
          {plugin.slots.length > 0 ? `for ${plugin.slots.join(", ")}` : "a listener, in no slot"} ·{" "}
          {plugin.origin}
          {plugin.source !== undefined && (
            <>
              {" "}
              · <Said inline text={plugin.source} />
            </>
          )}
        </p>
        {plugin.error !== undefined && (
          <p class="trouble">
            <Said inline text={plugin.error} />
          </p>
        )}
        <Pauses of={plugin} />
        <Switch of={plugin} again={again} />
      </header>
      <Hooks of={subscriptions} />
      <section aria-labelledby="options">
        <h2 id="options">Options</h2>
        {answer.error !== undefined && (
          <p class="trouble">
            <Said inline text={answer.error} />
          </p>
        )}
        <OptionsForm name={plugin.name} {...options} saved={again} />
      </section>
    </article>
  );
}

function Pauses({ of: { paused = [], standby = [] } }: { of: About["plugin"] }) {
  return (
    <>
      {paused.map(({ part, error, until }) => (
        <p key={part} class="trouble">
          Paused {part === "everything" ? "" : `in ${part} `}until <Time at={until} />:{" "}
          <Said inline text={error} />
        </p>
      ))}
      {standby.length > 0 && <p class="hint">Does the work of {standby.join(", ")} meanwhile.</p>}
    </>
  );
}

function Switch({ of: plugin, again }: { of: About["plugin"]; again(): void }) {
  const { busy, error, run } = useWork();
  const [said, setSaid] = useState("");
  const on = plugin.state !== "disabled";
  const { name, paused = [] } = plugin;

  const turn = (enabled: boolean) =>
    run(async () => {
      const answer = await post("/api/plugins/:name/switch", {
        params: { name },
        body: { enabled },
      });
      const isThere = isOn(answer.plugin) || !enabled;
      const slots = answer.plugin.slots.join(", ");
      setSaid(
        `${enabled ? "On" : "Off"}, from now on.${isThere ? "" : ` It is called once it has its slot: memoir config set slots.${slots} ${name}.`}${answer.hooks ? newHooks : ""}`,
      );
      again();
    });
  return (
    <div class="actions">
      <button type="button" disabled={busy} onClick={() => turn(!on)}>
        {on ? "Switch off" : "Switch on"}
      </button>
      {on && paused.length > 0 && (
        <button type="button" disabled={busy} onClick={() => turn(true)}>
          Try it again now
        </button>
      )}
      <p class="hint" role="status">
        {said}
      </p>
      {error !== undefined && <Trouble error={error} />}
    </div>
  );
}

function Hooks({ of }: { of: About["subscriptions"] }) {
  if (of.length === 0) return <p class="hint">It listens to nothing while it is not in force.</p>;
  return (
    <section aria-labelledby="hooks">
      <h2 id="hooks">Listens to</h2>

      <table class="figures">
        <thead>
          <tr>
            {["Hook", "Order", "Calls", "Failures", "p50", "p99", "At most"].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.map(({ hook, order, filter, calls, failures, p50, p99, deadlineMs, lastError }) => (
            <tr key={`${hook} ${order} ${JSON.stringify(filter)}`}>
              <th scope="row">
                {hook}
                {filter && (
                  <span class="foot">
                    only{" "}
                    <Said
                      inline
                      text={Object.entries(filter)
                        .map(([key, all]) => `${key}: ${all.join(", ")}`)
                        .join("; ")}
                    />
                  </span>
                )}
                {lastError !== undefined && (
                  <span class="foot bad">
                    <WithCode text={lastError} />
                  </span>
                )}
              </th>
              <td data-name="order">{order}</td>
              <td data-name="calls">{calls.toLocaleString()}</td>
              <td data-name="failures" class={failures > 0 ? "bad" : ""}>
                {failures.toLocaleString()}
              </td>
              <td data-name="p50">{inMs(p50)}</td>
              <td data-name="p99">{inMs(p99)}</td>
              <td data-name="at most">{inMs(deadlineMs, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const inMs = (ms: number | null, digits = 1) =>
  ms === null
    ? "–"
    : ms < 0.05
      ? "< 0.1 ms"
      : `${ms.toLocaleString(undefined, { maximumFractionDigits: digits })} ms`;
