// `memoir memory stats`: what memory cost and what it gave back.

import { operationInputs } from "../../server/inputs.ts";
import type { Answer } from "../../server/route-types.ts";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { historyCommands } from "../commands/history.ts";
import { inputsFrom } from "../memory/filter.ts";
import { usageLines } from "../models/model-lines.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
import { columns, dateTime } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

type StatsOptions = OptionsOf<(typeof historyCommands)["stats"]>;

type Report = Answer<"/api/stats">;

const shownRows = 14;

/** Gives exit code 0. */
export async function stats(options: StatsOptions, terminal: Terminal): Promise<number> {
  const { project, since } = await inputsFrom(operationInputs.stats.takes, options, terminal);
  const report = await server.get("/api/stats", { query: { project, since } });
  const models = await server.get("/api/usage", { query: { project, since: report.since } });
  return answer(terminal, options, { ...report, models }, async () => {
    const { bold, dim } = terminal.colors;
    const { total, since: from, moments } = report;
    const told = momentLines(moments);
    return [
      bold(`Since ${dateTime(from)}`),
      ...totalLines(total),
      ...(total.observations === 0 ? [await hint(from, project)] : []),
      ...table("By day", report.byDay, terminal),
      ...table("By project", report.byProject, terminal),
      ...(told.length > 0 ? ["", bold("Hints"), ...told] : []),
      "",
      bold("Models asked"),
      ...usageLines(models, terminal.width),
      dim(
        "\nTokens; all but those of finding out are estimates. docs/statistics.md says how each is computed.",
      ),
    ];
  });
}

function table(title: string, rows: Report["byDay"], { colors, width }: Terminal): string[] {
  if (rows.length === 0) return [];
  const head = [title, "sessions", "observed", "finding out", "reading", "given", "saved ≤"];
  const body = rows
    .slice(0, shownRows)
    .map((row) => [
      row.key,
      ...[row.sessions, row.observations].map(String),
      ...[row.discovery, row.read, row.carried, row.saved].map(short),
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

/** What a report of zeros means: memory that is older, or none. */
async function hint(since: number, project: string | undefined): Promise<string> {
  const { results } = await server.get("/api/search", {
    query: { text: "", kinds: ["observation"], project, until: since, limit: 1 },
  });
  const day = results[0] && dateTime(results[0].createdAt).slice(0, 10);
  if (day)
    return `\nNothing in this time; the newest memory of before is of ${day}: \`memoir memory stats --since ${day}\`.`;
  return project === undefined
    ? "\nNo memory yet. `memoir backfill` imports old sessions, `memoir status` shows what is captured."
    : `\nNo memory of project ${project}; \`memoir sessions\` lists what there is.`;
}

function totalLines(total: Report["total"]): string[] {
  const { observations, discoveryKnown } = total;
  const known =
    discoveryKnown === observations ? "" : ` (known for ${discoveryKnown} of ${observations})`;
  const gain = total.read > 0 && total.discovery > 0 ? `, 1 to ${ratio(total)}` : "";
  return columns([
    [
      "  remembered",
      `${plural(observations, "observation")} of ${plural(total.sessions, "session")} with ${plural(total.prompts, "prompt")}`,
    ],
    ["  finding out", `${short(total.discovery)} tokens${known}`],
    ["  reading it all", `about ${short(total.read)} tokens${gain}`],
    ["  writing it", `${short(total.observer)} tokens`],
    [
      "  given to sessions",
      `${plural(total.injections, "context")}, about ${short(total.injected)} tokens, ${short(total.carried)} with every request that carried them`,
    ],
    [
      "  saved at most",
      `${short(total.saved)} tokens: ${plural(total.used, "observation was", "observations were")} given and then worked on`,
    ],
    ["  net at most", `${total.net < 0 ? "-" : ""}${short(Math.abs(total.net))} tokens`],
  ]);
}

/** How much finding out took for each token of reading, over what is known. */
function ratio({ discovery, read, discoveryKnown, observations }: Report["total"]): string {
  const readKnown = (read * discoveryKnown) / Math.max(1, observations);
  return (discovery / Math.max(1, readKnown)).toFixed(1);
}

/** `834`, `12.4k`, `3.1M`. */
function short(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  if (value < 1_000_000) return `${(value / 1_000).toFixed(1)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}
