// What a failing plugin costs everybody else: how long hooks take beside each kind of failure.
import { kinds, source } from "../runtime/torture/kinds.ts";
import { besideWitness, configOf, load } from "../runtime/torture/load.ts";
import { type Figure, quantile } from "./figures.ts";

const part = "torture";
const toolUses = 400;

/** The 99th percentile and the median of tool-use hooks, without a failing plugin and with each. */
export async function benchTorture(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const kind of [undefined, ...kinds]) {
    const files = kind && {
      "torture/torture.ts": source(kind),
      "config.json": configOf(kind, "./torture/torture.ts"),
    };
    const { times, lost } = await besideWitness({ ...files }, async (server) => {
      const { tools } = await load(server, part, toolUses);
      const { journal } = await server.status();
      const counted = "error" in journal ? 0 : (journal.counters["event:PostToolUse"] ?? 0);
      return { times: tools.map(({ ms }) => ms), lost: toolUses - counted };
    });
    const name = kind ? kind.name : "no failing plugin";
    figures.push(
      { part, name: `${name}: p50`, value: quantile(times, 0.5), unit: "ms" },
      { part, name: `${name}: p99`, value: quantile(times, 0.99), unit: "ms" },
    );
    if (lost !== 0)
      figures.push({
        part,
        name: `${name}: events lost`,
        value: lost,
        unit: "×",
        target: { limit: 0, better: "lower" },
      });
  }
  return figures;
}
