// Foreign lines planted in recorded outputs of a shell: a line that nothing else there is like should be found by that alone.
import { decide } from "../../../plugins/endless-live/index.ts";
import { createSeen } from "../../../plugins/endless-live/seen.ts";
import { defaultPolicy } from "../../plugins/endless-live/cases.ts";
import { shapeOf } from "../../replay/endless-shape.ts";
import { readThreads, type UseStep } from "../../replay/endless-threads.ts";
import { drawOf } from "../../torture/seeds.ts";
import { says } from "../endless/cases.ts";
import { recordings } from "../recordings.ts";
import { type Figure, figure, share } from "./report.ts";

/** Lines of nobody's output, with a number put in for `#`. */
const foreign = [
  "reconcile: till # and ledger differ by 41 cents",
  "lease of node-# moved to node-7",
  "MISMATCH in batch # after rounding",
  "Kasse # bucht seit 09:12 nicht mehr",
  "Abweichung in Zeile #, Soll 42,00, Ist 41,99",
  "caja # cerrada sin cuadrar",
  "le disque # est passé en lecture seule",
  "очередь # остановлена вручную",
  "队列 # 已切换为只读模式",
  "レジ # の残高が一致しません",
  "shard ledger-# has no leader",
  "rate table 2019-# is still in use",
  "quota of tenant # is used up",
  "kept the old certificate of host-#",
  "# of 18 rows were skipped",
];

/** A result with a line put in. */
interface Planted {
  half: 0 | 1;
  use: UseStep;
  text: string;
  line: string;
}

const count = 500;
const [least, most] = [1_500, 30_000];
const leastLines = 20;

/** The same ones each time: each output in turn, each at another place. */
async function plant(): Promise<Planted[]> {
  const outputs: Pick<Planted, "half" | "use" | "text">[] = [];
  for (const { half, steps } of await readThreads(recordings)) {
    const uses = new Map<string, UseStep>();
    for (const step of steps) {
      if (step.kind === "use") uses.set(step.id, step);
      if (step.kind !== "result" || step.isError) continue;
      const use = uses.get(step.id);
      const { text } = step;
      if (use?.tool !== "Bash" || text.length < least || text.length > most) continue;
      if (text.split("\n").length >= leastLines) outputs.push({ half, use, text });
    }
  }
  const draw = drawOf(14);
  return Array.from({ length: count }, (_, at) => {
    const { half, use, text } = outputs[at % outputs.length] ?? {
      half: 0,
      use: undefined,
      text: "",
    };
    if (!use) throw new Error("no recorded output of a shell has 1,500 to 30,000 characters");
    const lines = text.split("\n");
    const form = draw.pick(foreign);
    const line = form.replace("#", String(100 + draw.below(900)));
    lines.splice(Math.floor(lines.length * (0.1 + 0.8 * draw.number())), 0, line);
    return { half, use, text: lines.join("\n"), line };
  });
}

/** The share of planted lines that are kept, and of the characters. Sessions are split in two by a hash of their name. */
export async function plantedFigures(): Promise<Figure[]> {
  const left = (await plant()).map(({ half, use, text, line }) => {
    const result = {
      kind: "result",
      id: use.id,
      text,
      isError: false,
      structured: undefined,
    } as const;
    const { id, tool, input } = use;
    const arrived = {
      id,
      tool,
      input,
      response: shapeOf(use, result),
      recall: `memoir recall ${id}`,
    };
    const after = decide(arrived, createSeen().of("s1", undefined), defaultPolicy)?.after ?? text;
    return { half, before: text.length, after: after.length, isKept: says(after, line) };
  });
  const isAside = ({ half }: { half: 0 | 1 }) => half === 1;
  const sum = (of: readonly (typeof left)[number][], by: "before" | "after") =>
    of.reduce((all, one) => all + one[by], 0);
  return [
    figure(
      "planted",
      "foreign lines kept",
      left,
      isAside,
      share(({ isKept }) => isKept),
    ),
    figure(
      "planted",
      "characters kept",
      left,
      isAside,
      (of) => sum(of, "after") / Math.max(1, sum(of, "before")),
    ),
  ];
}
