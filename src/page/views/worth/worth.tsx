// What memory cost and gave back, day by day: the figures of `memoir memory stats`, plotted.
import { useEffect, useMemo } from "preact/hooks";
import { go } from "../../address.ts";
import { get } from "../../api.ts";
import { Trouble } from "../../parts/trouble.tsx";
import { useAsked } from "../../use-asked.ts";
import { asShown, shortNumber, wholeNumber } from "../../words.ts";
import { dayOf, everything, type Range, rangeOf, ranges, startOf, usualRange } from "./days.ts";
import { PlotFigure } from "./plot.tsx";
import { type Figures, type Plot, plotsOf, sum } from "./plots.ts";

/** The view; the address says which time, which project, and which plots are read as tables. */
export function WorthView({ address }: { address: URL }) {
  const { searchParams } = address;
  const project = searchParams.get("project") ?? "";
  const today = dayOf(Date.now());
  const isAll = searchParams.get("range") === everything && !searchParams.has("from");
  const asked = rangeOf(searchParams, today);
  const since = isAll ? 0 : startOf(asked.from);
  const { answer, error } = useAsked(`${since} ${project}`, (signal) =>
    askFigures(since, project, signal),
  );
  const projects = useAsked("projects", (signal) => get("/api/status", {}, signal));
  useEffect(() => {
    document.title = "Worth · memoir";
  }, []);
  const range = isAll && answer ? rangeOf(searchParams, today, firstDay(answer, today)) : asked;
  const plots = useMemo(
    () => (answer ? plotsOf(answer, range) : []),
    [answer, range.from, range.to],
  );
  const tables = (searchParams.get("table") ?? "").split(",").filter(Boolean);

  function put(values: Record<string, string>, replace = false): void {
    const next = new URLSearchParams(searchParams);
    for (const [name, value] of Object.entries(values))
      if (value === "") next.delete(name);
      else next.set(name, value);
    go(`/worth${next.size > 0 ? `?${next}` : ""}`, { replace });
  }
  const storage = projects.answer?.storage;
  const known = storage && "projects" in storage ? storage.projects : [];
  return (
    <div class="worth">
      <h1>What memory is worth</h1>
      <Choice
        {...{ searchParams, range, project, known, put }}
        isAny={project === "" || known.some(({ id }) => id === project)}
      />
      {error !== undefined && <Trouble error={error} />}
      {answer && nothingAtAll(plots) && <Empty isNarrowed={project !== "" || !isAll} />}
      {answer && !nothingAtAll(plots) && (
        <>
          <Totals plots={plots} />
          <div class="plots">
            {plots.map((plot) => (
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
          <p class="hint">
            The same figures as <code>memoir memory stats</code> and{" "}
            <code>memoir endless metrics</code> have, by the days of this machine’s clock. Tokens
            are estimates, but for what models reported.
          </p>
        </>
      )}
    </div>
  );
}

async function askFigures(since: number, project: string, signal: AbortSignal): Promise<Figures> {
  const query = { since, ...(project === "" ? {} : { project }) };
  const [stats, usage, endless, status] = await Promise.all([
    get("/api/stats", { query }, signal),
    get("/api/usage", { query }, signal),
    get("/api/endless/metrics", { query }, signal),
    get("/api/status", {}, signal),
  ]);
  return { stats, usage, endless, dailyTokens: status.models.budget.dailyTokens };
}

/** The oldest day that any figure is of. */
function firstDay({ stats, usage, endless }: Figures, today: string): string {
  const days = [stats, usage, endless].flatMap(({ byDay }) => byDay.map(({ key }) => key));
  return days.sort().at(0) ?? today;
}

const nothingAtAll = (plots: readonly Plot[]) =>
  plots.every(({ columns }) => columns.every(({ values }) => sum(values) === 0));

interface ChoiceProps {
  searchParams: URLSearchParams;
  range: Range;
  project: string;
  known: ReadonlyArray<{ id: string; name: string }>;
  isAny: boolean;
  put(values: Record<string, string>): void;
}

/** Which time and project. */
function Choice({ searchParams, range, project, known, isAny, put }: ChoiceProps) {
  const isFree = searchParams.has("from");
  const chosen = isFree ? "" : (searchParams.get("range") ?? usualRange);
  const names = Object.entries(ranges).map(([key, { name }]) => ({ key, name }));
  const free = (from: string, to: string) => {
    if (from !== "" && to !== "" && from <= to) put({ from, to, range: "" });
  };
  return (
    <search class="chips worth-choice" aria-label="Time and project">
      {[...names, { key: everything, name: "All" }].map(({ key, name }) => (
        <button
          key={key}
          type="button"
          class={key === chosen ? "chip on" : "chip"}
          aria-pressed={key === chosen}
          onClick={() => put({ range: key === usualRange ? "" : key, from: "", to: "" })}
        >
          {name}
        </button>
      ))}
      <span class="worth-days">
        <input
          type="date"
          aria-label="From"
          class={isFree ? "chip on" : "chip"}
          value={range.from}
          max={range.to}
          onChange={(event) => free(event.currentTarget.value, range.to)}
        />
        –
        <input
          type="date"
          aria-label="To"
          class={isFree ? "chip on" : "chip"}
          value={range.to}
          min={range.from}
          onChange={(event) => free(range.from, event.currentTarget.value)}
        />
      </span>
      <select
        aria-label="project"
        class={project === "" ? "chip" : "chip on"}
        value={project}
        onChange={(event) => put({ project: event.currentTarget.value })}
      >
        <option value="">Any project</option>
        {!isAny && <option value={project}>{asShown(project)}</option>}
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {asShown(name)}
          </option>
        ))}
      </select>
    </search>
  );
}

/** What all of it comes to. */
function Totals({ plots }: { plots: readonly Plot[] }) {
  const of = (id: string, name: string) =>
    sum(
      plots.find((plot) => plot.id === id)?.columns.find((column) => column.name === name)
        ?.values ?? [],
    );
  const given = of("tokens", "Given to sessions");
  const net = of("tokens", "Saved at most") - given;
  const totals = [
    { name: "Sessions", value: of("captured", "Sessions") },
    { name: "Prompts", value: of("captured", "Prompts") },
    { name: "Observations", value: of("stored", "Observations") },
    { name: "Contexts given", value: of("told", "Contexts given") },
    { name: "Tokens given", value: given },
    { name: "Net at most, tokens", value: net },
    { name: "Kept out by Endless Mode", value: of("endless", "Kept out") },
    { name: "Asked of models, tokens", value: of("models", "Tokens") },
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

function Empty({ isNarrowed }: { isNarrowed: boolean }) {
  return (
    <div class="empty" role="status">
      <h2>Nothing to count yet</h2>
      <p>
        {isNarrowed
          ? "Nothing happened in this time and project. Choose All, or another project."
          : "What your sessions are told, what that costs and what it saves is counted here as soon as there are sessions."}
      </p>
    </div>
  );
}
