// All plugins: who does what in which order, what it took, and what is off.
import type { Answer } from "../../../server/route-types.ts";
import { Said } from "../../parts/said.tsx";
import { NotYet, Trouble } from "../../parts/trouble.tsx";
import { useGet } from "../../use-asked.ts";
import { counted } from "../../words.ts";
import { isOn, pluginAddress, stateWords, totals } from "./plugin-words.ts";

type List = Answer<"/api/plugins">;
type Plugin = List["plugins"][number];

/** The list. */
export function PluginsPart() {
  const { answer, error } = useGet("/api/plugins", {}, { freshens: () => true, everyMs: 5_000 });
  if (!answer) return <NotYet error={error} />;
  const { plugins, local } = answer;
  const own = plugins.filter(({ origin }) => origin !== "built-in");
  const builtIn = plugins.filter(({ origin }) => origin === "built-in");
  return (
    <>
      <p class="hint">
        Everything memoir does is done by a plugin. Yours can replace a built-in one, or run beside
        it.
      </p>
      {error !== undefined && <Trouble error={error} />}
      <Slots plugins={plugins.filter(isOn)} />
      {own.length > 0 && <Group title="Yours" plugins={own} of={answer} />}
      {local
        .filter(({ state }) => state !== "trusted")
        .map(({ folder, state, fix }) => (
          <p key={folder} class="trouble">
            <Said inline text={`${folder}: ${state}, not run. ${fix}`} />
          </p>
        ))}
      <Group
        title="Built in"
        plugins={builtIn.filter((one) => one.state !== "disabled")}
        of={answer}
      />
      <Group title="Off" plugins={builtIn.filter((one) => one.state === "disabled")} of={answer} />
    </>
  );
}

/** Each slot's plugins, in the order in which they are asked. */
function Slots({ plugins }: { plugins: Plugin[] }) {
  const slots = [...new Set(plugins.flatMap(({ fills }) => fills))];
  return (
    <section aria-labelledby="slots">
      <h2 id="slots">Who does what, in this order</h2>
      <dl class="slots">
        {slots.map((slot) => (
          <div key={slot}>
            <dt>{slot}</dt>
            <dd>
              <ol>
                {plugins
                  .filter(({ fills }) => fills.includes(slot))
                  .map(({ name }) => (
                    <li key={name}>
                      <a href={pluginAddress(name)}>
                        <Said inline text={name} />
                      </a>
                    </li>
                  ))}
              </ol>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Group({ title, plugins, of }: { title: string; plugins: Plugin[]; of: List }) {
  if (plugins.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul class="hits">
        {plugins.map((plugin) => (
          <li key={`${plugin.name} ${plugin.source ?? ""}`}>
            <Row plugin={plugin} of={of} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ plugin, of }: { plugin: Plugin; of: List }) {
  const { name, description, error, fills, paused = [] } = plugin;
  const { calls, failures, slowest } = totals(
    of.subscriptions.filter((subscription) => subscription.plugin === name),
  );
  return (
    <a class="hit" href={pluginAddress(name)}>
      <span class="head">
        <span class={`kind ${plugin.state === "failed" ? "failure" : ""}`}>
          {stateWords(plugin)}
        </span>
        {fills.length > 0 && <span class="word">{fills.join(", ")}</span>}
        {paused.length > 0 && <span class="word bad">paused</span>}
      </span>
      <strong>
        <Said inline text={name} />
      </strong>
      {description !== "" && (
        <span class="excerpt">
          <Said inline text={description} />
        </span>
      )}
      {calls > 0 && (
        <span class="foot">
          {counted(calls, "call")}
          {failures > 0 && <span class="bad">, {counted(failures, "failure")}</span>}
          {slowest !== null && ` · p50 ${slowest.p50.toFixed(1)} ms in ${slowest.hook}`}
        </span>
      )}
      {error !== undefined && (
        <span class="foot bad">
          <Said inline text={error} />
        </span>
      )}
    </a>
  );
}
