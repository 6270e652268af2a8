// What memory cost and gave back, day by day: the figures of `memoir memory stats`, plotted.
import { useMemo } from "preact/hooks";
import { addressOf, go } from "../../address.ts";
import { get } from "../../api.ts";
import { Columns } from "../../parts/columns.tsx";
import { Folded } from "../../parts/folded.tsx";
import { Time } from "../../parts/time.tsx";
import { Empty, NotYet, Trouble } from "../../parts/trouble.tsx";
import { projectOf, useProjects, withChoices } from "../../projects.ts";
import { useAsked } from "../../use-asked.ts";
import { capital, counted, shortNumber, wholeNumber } from "../../words.ts";
import { isSwitchedOff } from "../settings/plugin-words.ts";
import {
  dayOf,
  everything,
  later,
  type Range,
  rangeOf,
  ranges,
  startOf,
  usualRange,
} from "./days.ts";
import { PlotFigure } from "./plot.tsx";
import { type Figures, gainedWords, isNothing, type Plot, plotsOf, sum } from "./plots.ts";

/** The view; the address says which time, which project, and which plots are read as tables. */
export function SavingsView({ address }: { address: URL }) {
  const projects = useProjects();
  return projects ? (
    <Known address={address} newest={projects[0]?.lastActiveAt ?? 0} />
  ) : (
    <Columns title="Savings">
      <NotYet error={undefined} />
    </Columns>
  );
}

/** Where nothing happened lately, all of the time is shown: after an import the days before today are empty. */
function Known({ address, newest }: { address: URL; newest: number }) {
  const project = projectOf(address);
  const today = dayOf(Date.now());
  const isOld = newest < startOf(later(today, -29));
  const searchParams = new URLSearchParams(address.searchParams);
  if (isOld && !searchParams.has("range") && !searchParams.has("from"))
    searchParams.set("range", everything);
  const isAll = searchParams.get("range") === everything && !searchParams.has("from");
  const asked = rangeOf(searchParams, today);
  const since = isAll ? 0 : startOf(asked.from);
  const { answer, error } = useAsked(`savings ${since} ${project}`, (signal) =>
    askFigures(since, project, signal),
  );
  const range = isAll && answer ? rangeOf(searchParams, today, firstDay(answer, today)) : asked;
  const plots = useMemo(
    () => (answer ? plotsOf(answer, range) : []),
    [answer, range.from, range.to],
  );
  const [drawn, empty] = [plots.filter((one) => !isNothing(one)), plots.filter(isNothing)];
  const tables = (searchParams.get("table") ?? "").split(",").filter(Boolean);

  const put = (values: Record<string, string>, replace = false) =>
    go(withChoices(address, values), { replace });
  return (
    <Columns title="Savings">
      <h1>Savings</h1>
      <p class="hint">What memory gave, what that cost, and what it saved.</p>
      <Choice {...{ searchParams, range, put }} />
      {error !== undefined && <Trouble error={error} />}
      {answer && drawn.length === 0 && (
        <Empty title="Nothing to count yet">
          {project !== "" || !isAll
            ? "Nothing happened in this time and project. Choose All, or another project."
            : "What your sessions are given, what that costs and what it saves is counted here from your first session on."}
        </Empty>
      )}
      {answer && drawn.length > 0 && (
        <>
          <Saved of={answer.stats.savings} />
          <Totals plots={plots} />
          <Gained of={answer} />
          <div class="plots">
            {drawn.map((plot) => (
              <PlotFigure
                key={plot.id}
                plot={plot}
                isTable={tables.includes(plot.id)}
                asTable={(isTable) => {
                  const others = tables.filter((id) => id !== plot.id);
                  put({ table: [...others, ...(isTable ? [plot.id] : [])].join(",") }, true);
                }}
              />
            ))}
          </div>
          {empty.length > 0 && (
            <p class="hint">Nothing in this time: {empty.map(({ title }) => title).join(" · ")}.</p>
          )}
          <p class="hint">
            The figures of <code>memoir memory stats</code> and <code>memoir endless metrics</code>,
            by this machine’s days. Tokens are estimates, except those that models reported.
          </p>
        </>
      )}
    </Columns>
  );
}

async function askFigures(since: number, project: string, signal: AbortSignal): Promise<Figures> {
  const query = { since, ...(project === "" ? {} : { project }) };
  const status = await get("/api/status", {}, signal);
  const [stats, usage, endless] = await Promise.all([
    get("/api/stats", { query }, signal),
    get("/api/usage", { query }, signal),
    isSwitchedOff(status.plugins, "endless")
      ? undefined
      : get("/api/endless/metrics", { query }, signal),
  ]);
  const { dailyTokens } = status.models.budget;
  return { stats, usage, dailyTokens, ...(endless && { endless }) };
}

/** The oldest day that any figure is of. */
function firstDay({ stats, usage, endless }: Figures, today: string): string {
  const all = [stats, usage, ...(endless ? [endless] : [])];
  const days = all.flatMap(({ byDay }) => byDay.map(({ key }) => key));
  return days.sort().at(0) ?? today;
}

interface ChoiceProps {
  searchParams: URLSearchParams;
  range: Range;
  put(values: Record<string, string>): void;
}

/** Which time. */
function Choice({ searchParams, range, put }: ChoiceProps) {
  const isFree = searchParams.has("from");
  const chosen = isFree ? "" : (searchParams.get("range") ?? usualRange);
  const names = Object.entries(ranges).map(([key, { name }]) => ({ key, name }));
  const free = ({ from, to }: Range) => {
    if (from !== "" && to !== "" && from <= to) put({ from, to, range: "" });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row of chips everywhere.
    <div role="group" class="chips worth-choice" aria-label="Time">
      {[...names, { key: everything, name: "All" }].map(({ key, name }) => (
        <button
          key={key}
          type="button"
          class={key === chosen ? "chip on" : "chip"}
          aria-pressed={key === chosen}
          onClick={() => put({ range: key, from: "", to: "" })}
        >
          {name}
        </button>
      ))}
      <span class="worth-days">
        {(["from", "to"] as const).map((end) => (
          <input
            key={end}
            type="date"
            aria-label={capital(end)}
            class={isFree ? "chip on" : "chip"}
            value={range[end]}
            {...(end === "from" ? { max: range.to } : { min: range.from })}
            onChange={(event) => free({ ...range, [end]: event.currentTarget.value })}
          />
        ))}
      </span>
    </div>
  );
}

type Savings = Figures["stats"]["savings"];

const wayWords: Readonly<Record<string, string>> = { "worked on": "worked on its files" };

/** What memory gave and what came of it; each use opens, and what is not known is said to be so. */
function Saved({ of: { shown, used, avoided, net } }: { of: Savings }) {
  const money = (dollars: number | null) => (dollars === null ? "" : ` · $${dollars.toFixed(2)}`);
  const range = ({ low, high }: { low: number; high: number }) =>
    [...new Set([low, high].map(shortNumber))].join(" – ");
  return (
    <>
      <dl class="totals">
        <div>
          <dt>Shown</dt>
          <dd>{counted(shown.contexts, "context")}</dd>
          <dd class="hint">
            {shortNumber(shown.carried)} tokens in all requests that carried them{money(shown.cost)}
          </dd>
        </div>
        <div>
          <dt>Used</dt>
          <dd>{counted(used.count, "time")}</dd>
          <dd class="hint">
            {Object.entries(used.ways)
              .map(([how, count]) => `${wholeNumber(count)} ${wayWords[how] ?? how}`)
              .join(", ") || "no use seen"}
          </dd>
        </div>
        <div>
          <dt>Avoided, tokens</dt>
          <dd>{avoided.tokens ? range(avoided.tokens) : "–"}</dd>
          <dd class="hint">
            {avoided.tokens
              ? `measured in ${counted(avoided.cases, "case")} of your own${money(avoided.cost?.median ?? null)}`
              : `not known: ${avoided.cases === 0 ? "no case" : `only ${counted(avoided.cases, "case")}`} to measure it by yet`}
          </dd>
        </div>
        <div>
          <dt>Net, tokens</dt>
          <dd>{net ? range(net) : "–"}</dd>
          <dd class="hint">avoided less what those requests carried</dd>
        </div>
      </dl>
      {used.events.length > 0 && (
        <Folded
          title={`What was used: ${used.count > used.events.length ? `the newest ${used.events.length} of ${wholeNumber(used.count)} uses` : counted(used.count, "use")}`}
        >
          {() => (
            <ul>
              {used.events.map(({ time, session, how, ids }, at) => (
                <li key={at}>
                  <a href={addressOf("session", session)}>{wayWords[how] ?? how}</a>{" "}
                  {ids.map((id) => (
                    <a key={id} href={addressOf("record", id)}>
                      {id}{" "}
                    </a>
                  ))}
                  <span class="meta">
                    <Time at={time} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Folded>
      )}
    </>
  );
}

/** What Endless Mode brought, in the words of the books. */
function Gained({ of }: { of: Figures }) {
  const words = gainedWords(of);
  return words === undefined ? null : <p>{words}</p>;
}

/** What all of it comes to. */
function Totals({ plots }: { plots: readonly Plot[] }) {
  const of = (id: string, name: string) =>
    sum(
      plots.find((plot) => plot.id === id)?.columns.find((column) => column.name === name)
        ?.values ?? [],
    );
  const totals = [
    { name: "Sessions", value: of("captured", "Sessions") },
    { name: "Prompts", value: of("captured", "Prompts") },
    { name: "Observations", value: of("stored", "Observations") },
    ...(plots.some(({ id }) => id === "endless")
      ? [{ name: "Removed by Endless Mode", value: of("endless", "Removed") }]
      : []),
    { name: "Model tokens", value: of("models", "Tokens") },
  ];
  return (
    <dl class="totals">
      {totals.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={wholeNumber(value)}>
            {Math.abs(value) < 10_000 ? wholeNumber(value) : shortNumber(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
