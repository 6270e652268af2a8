// `memoir memory stats`: what memory cost and what it gave back.

import { memory } from "../../features/memory.ts";
import type { Answer } from "../../server/route-types.ts";
import { short } from "../../text/amounts.ts";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import { inputsFrom, refuseUnknown } from "../memory/filter.ts";
import { usageLines } from "../models/provider.ts";
import { server } from "../server/client.ts";
import { columns, dateTime } from "../terminal/layout.ts";
import { answer } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

type StatsOptions = OptionsOf<(typeof memory)["stats"]>;

type Report = Answer<"/api/stats">;

const shownRows = 14;

/** Gives exit code 0. */
export async function stats(options: StatsOptions, terminal: Terminal): Promise<number> {
  const query = await inputsFrom(memory.stats.takes, options, terminal);
  const { project } = query;
  const report = await server.get("/api/stats", { query });
  const models = await server.get("/api/usage", { query: { project, since: report.since } });
  const { total, savings, moments } = report;
  const counted = total.observations + total.sessions + savings.shown.contexts + moments.length;
  if (counted + models.total.calls === 0) {
    const [isNew] = await refuseUnknown({ project }, terminal);
    const line = isNew ?? (await nothingYet(report.since, project));
    return answer(terminal, options, { ...report, models }, () => [line]);
  }
  return answer(terminal, options, { ...report, models }, () => {
    const { bold, dim } = terminal.colors;
    const told = momentLines(moments);
    return [
      bold(`Since ${dateTime(report.since)} (--since ${options.since ?? "30d"})`),
      ...totalLines(total),
      "",
      bold(`Savings, ${priceWords(savings)}`),
      ...savingsLines(savings),
      ...table("By day", report.byDay, terminal),
      ...table("By project", report.byProject, terminal),
      ...(told.length > 0 ? ["", bold("Hints"), ...told] : []),
      "",
      bold("Models asked"),
      ...usageLines(models, terminal.width),
      dim(
        "\nFinding out is what your agents' requests reported; other token counts are estimates at four characters each.",
      ),
    ];
  });
}

function table(title: string, rows: Report["byDay"], { colors, width }: Terminal): string[] {
  if (rows.length === 0) return [];
  const head = [title, "sessions", "observed", "finding out", "reading", "carried", "used"];
  const body = rows
    .slice(0, shownRows)
    .map((row) => [
      row.key,
      ...[row.sessions, row.observations].map(String),
      ...[row.discovery, row.read, row.carried].map(short),
      String(row.used),
    ]);
  const [first = "", ...rest] = columns([head, ...body], width);
  const left = rows.length - shownRows;
  const more = left > 0 ? [colors.dim(`and ${left} more`)] : [];
  return ["", colors.bold(first), ...rest, ...more];
}

/** A line for each kind of hint. */
function momentLines(moments: Report["moments"]): string[] {
  return columns(
    moments.map(({ kind, told, lookedUp, actedOn, keptBack }) => {
      const kept = keptBack === 0 ? "" : `, ${keptBack} kept back: nobody had used them`;
      return [`  ${kind}`, `${told} given, ${lookedUp} looked up, ${actedOn} acted on${kept}`];
    }),
  );
}

/** What there is instead of a report of zeros: memory that is older, or none yet. */
async function nothingYet(since: number, project: string | undefined): Promise<string> {
  const where = project === undefined ? "" : ` of project ${project}`;
  const { results } = await server.get("/api/search", {
    query: { text: "", kinds: ["observation"], project, until: since, limit: 1 },
  });
  const from = dateTime(since).slice(0, 10);
  const day = results[0] && dateTime(results[0].createdAt).slice(0, 10);
  return day
    ? `Nothing${where} since ${from}; the newest memory is of ${day}: \`memoir memory stats --since ${day}\`.`
    : `Nothing${where} yet: it counts from the first session that memoir captures on; \`memoir backfill\` imports old ones.`;
}

function totalLines(total: Report["total"]): string[] {
  const { observations, discoveryKnown } = total;
  const known =
    discoveryKnown === observations ? "" : ` (known for ${discoveryKnown} of ${observations})`;
  return columns([
    [
      "  stored",
      `${plural(observations, "observation")} of ${plural(total.sessions, "session")} with ${plural(total.prompts, "prompt")}`,
    ],
    ["  finding out", `${short(total.discovery)} tokens of your agents' work${known}`],
    ["  reading it all", `about ${short(total.read)} tokens${gain(total)}`],
    [
      "  writing it",
      total.observer === 0
        ? "0 tokens: no model wrote any"
        : `${short(total.observer)} tokens of a model`,
    ],
  ]);
}

/** At which price; of a model without one, that it has none and how it gets one. */
function priceWords({ model, shown }: Report["savings"]): string {
  if (shown.cost !== null) return `at the list price of ${model}`;
  return `in tokens alone: no price of ${model} is known (--model names another, \`budget.prices\` gives one)`;
}

/** Shown, used, avoided and the difference; what is not known says why. */
function savingsLines({ shown, used, avoided, net }: Report["savings"]): string[] {
  const { contexts, tokens, carried, cost } = shown;
  const times = Object.entries(used.ways)
    .map(([how, count]) => `${count} ${how}`)
    .join(", ");
  const cases = plural(avoided.cases, "case");
  if (contexts === 0)
    return columns([["  shown", "nothing: no session of this time got a context from memory"]]);
  return columns([
    [
      "  shown",
      `${plural(contexts, "context")}, about ${short(tokens)} tokens; ${short(carried)} with every later request that carried them${money(cost)}`,
    ],
    ["  used", used.count === 0 ? "no use seen" : `${plural(used.count, "time")}: ${times}`],
    ...used.events
      .slice(0, shownEvents)
      .map(({ how, ids, session }) => [
        "",
        `${how}: memoir show ${ids.join(" ")} · memoir sessions ${session.slice(0, 8)}`,
      ]),
    [
      "  avoided",
      used.sure === 0
        ? "nothing: no record was opened, followed or applied"
        : avoided.tokens === null
          ? `unknown: found out again in ${cases} where nothing was shown; too few to say`
          : `about ${range(avoided.tokens)}${money(avoided.cost?.median ?? null)}: what finding out again took in ${cases} where nothing was shown`,
    ],
    ["  net", net === null ? "unknown" : range(net)],
  ]);
}

const shownEvents = 3;

/** `20.1k tokens (half of the cases: 9.8k to 41.0k)`: the median, and the quartiles around it. */
function range({ low, median, high }: Record<"low" | "median" | "high", number>): string {
  const spread = low === high ? "" : ` (half of the cases: ${short(low)} to ${short(high)})`;
  return `${short(median)} tokens${spread}`;
}

function money(cost: number | null): string {
  return cost === null ? "" : `, $${cost.toFixed(cost > 0 && cost < 0.1 ? 4 : 2)}`;
}

/** How much shorter the records are than what finding them out took, over what is known. */
function gain({ discovery, read, discoveryKnown, observations }: Report["total"]): string {
  const times = discovery / Math.max(1, (read * discoveryKnown) / Math.max(1, observations));
  if (times < 1.05) return "";
  return `: finding it out took ${times < 10 ? times.toFixed(1) : Math.round(times)} times as many`;
}
