// Measures memoir and shows the figures beside their targets: `bun run bench [hook] [clients] [server] [search] [retrieval] [context] [backfill] [transcript] [gateway] [endless] [rewrite] [seam] [plugins] [redaction] [page] [sync] [torture] [--json]`; `search` takes `--million` and `--homes=FOLDER`, where its databases are kept.
import { existsSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import process from "node:process";
import { benchBackfill } from "./backfill.ts";
import { benchClients } from "./clients.ts";
import { benchContext } from "./context.ts";
import { benchEndless } from "./endless.ts";
import { type Figure, isMet, table } from "./figures.ts";
import { benchGateway } from "./gateway.ts";
import { benchHook } from "./hook.ts";
import { benchPage } from "./page.ts";
import { benchPlugins } from "./plugins.ts";
import { benchRedaction } from "./redaction.ts";
import { benchRetrieval } from "./retrieval.ts";
import { benchRewrite } from "./rewrite.ts";
import { benchSeam } from "./seam.ts";
import { benchSearch, type SearchOptions } from "./search.ts";
import { binary } from "./served-home.ts";
import { benchServer } from "./server.ts";
import { benchSync } from "./sync.ts";
import { benchTorture } from "./torture.ts";
import { benchTranscript } from "./transcript.ts";

const parts: Record<string, (options: SearchOptions) => Promise<Figure[]>> = {
  hook: benchHook,
  clients: benchClients,
  server: benchServer,
  search: benchSearch,
  retrieval: benchRetrieval,
  context: benchContext,
  backfill: benchBackfill,
  transcript: benchTranscript,
  gateway: benchGateway,
  endless: benchEndless,
  rewrite: benchRewrite,
  seam: benchSeam,
  plugins: benchPlugins,
  redaction: benchRedaction,
  page: benchPage,
  sync: benchSync,
  torture: benchTorture,
};

async function main(args: readonly string[]): Promise<number> {
  const json = args.includes("--json");
  const homes = args.find((word) => word.startsWith("--homes="))?.slice("--homes=".length);
  const options = { million: args.includes("--million"), homes };
  const words = args.filter((word) => !word.startsWith("--"));
  const unknown = words.find((word) => !(word in parts));
  if (unknown !== undefined) {
    console.error(`error: no part "${unknown}"\nfix: choose from ${Object.keys(parts).join(", ")}`);
    return 2;
  }
  if (!existsSync(binary)) {
    console.error(`error: ${binary} is missing\nfix: run \`bun run build\``);
    return 1;
  }
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (words.length > 0 && !words.includes(name)) continue;
    console.error(`measuring ${name} …`);
    figures.push(...(await measure(options)));
  }
  const on = machine();
  if (json) {
    const rows = figures.map((figure) => ({ ...figure, met: isMet(figure) ?? null }));
    console.log(JSON.stringify({ machine: on, figures: rows }, null, 2));
  } else {
    console.log(`${machineLine(on)}\n\n${table(figures)}`);
  }
  return 0;
}

// The machine behind the figures: absolute times mean nothing without it.

interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  bun: string;
}

/** This machine. */
function machine(): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model ?? "unknown",
    cores: cores.length,
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${type()} ${release()}`,
    bun: Bun.version,
  };
}

/** The machine in one line. */
function machineLine({ cpu, cores, memoryGb, system, bun }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Bun ${bun}`;
}

process.exit(await main(process.argv.slice(2)));
