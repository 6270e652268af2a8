// Declares the commands of Endless Mode: recall, and `memoir endless …`.
import { type Command, Option } from "commander";
import { count } from "../terminal/option-values.ts";
import type { Run } from "../terminal/run.ts";
import type { GatewayOptions } from "./gateway.ts";
import type { MetricsOptions } from "./metrics.ts";
import type { RecallOptions } from "./recall.ts";
import type { RestoreCommandOptions } from "./restore.ts";
import type { SwitchOptions } from "./switch.ts";

interface JsonOption {
  json?: boolean;
}

/** Adds the commands to `program`. */
export function declareEndlessCommands(program: Command, run: Run): void {
  program
    .command("recall")
    .description("give back, exactly, what Endless Mode left out of a conversation")
    .argument("<id>", "the tool use's id, or an unambiguous beginning of it")
    .addOption(
      new Option("--part <part>", "which half of the tool use").choices(["input", "output"]),
    )
    .option("--lines <from-to>", "only these lines, such as 120-180")
    .option("--grep <expression>", "only lines that match, with their numbers")
    .option("--page <number>", "long texts come in pages", count(1_000_000))
    .addOption(
      new Option("--json", "print all of it as JSON, the value exactly as it was").conflicts([
        "lines",
        "grep",
        "page",
      ]),
    )
    .addHelpText("after", "\nExample:\n  $ memoir recall toolu_01Ab --lines 120-180")
    .action((id: string, options: RecallOptions) =>
      run(async (terminal) => (await import("./recall.ts")).recall(id, options, terminal)),
    );
  const endless = program
    .command("endless")
    .description("Endless Mode: keep the meaning, leave out the bulk, so that sessions go on");
  endless.addHelpText("after", "\nExample:\n  $ memoir endless on");
  declareSwitch(endless, run);
  declareGateway(endless, run);
  endless
    .command("status")
    .description("what is on where, what was left out and fetched back, and what does not pay")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir endless status")
    .action((options: JsonOption) =>
      run(async (terminal) => (await import("./status.ts")).endlessStatus(options, terminal)),
    );
  endless
    .command("metrics")
    .description("what was left out by tool and strategy, and what the agent's requests took")
    .option("--since <when>", "2h, 7d, yesterday, 2026-11-21 or an ISO time", "7d")
    .option("-p, --project <project>", "only this project; `.` is this folder's")
    .option("-s, --session <id>", "only this session")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir endless metrics --since 30d --project .")
    .action((options: MetricsOptions) =>
      run(async (terminal) => (await import("./metrics.ts")).endlessMetrics(options, terminal)),
    );
  endless
    .command("restore")
    .description("give a session's transcript the bytes back that it had before memoir rewrote it")
    .argument("<session>", "the session's id, or an unambiguous beginning of it")
    .option("--dry-run", "say what would be done, change nothing")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir endless restore 3f2a91c0 --dry-run")
    .action((session: string, options: RestoreCommandOptions) =>
      run(async (terminal) =>
        (await import("./restore.ts")).restoreSession(session, options, terminal),
      ),
    );
}

function declareSwitch(endless: Command, run: Run): void {
  for (const [verb, on] of [
    ["on", true],
    ["off", false],
  ] as const)
    endless
      .command(verb)
      .description(
        on
          ? "switch strategies on, in this folder's project unless you say otherwise"
          : "switch them off again; without a name, all of them",
      )
      .argument("[strategy...]", on ? "default: live" : "default: every one")
      .addOption(new Option("--session <id>", "only in this session").conflicts("everywhere"))
      .option("--everywhere", "in every project")
      .option("--json", "print JSON")
      .addHelpText("after", `\nExample:\n  $ memoir endless ${verb}`)
      .action((strategies: string[], options: SwitchOptions) =>
        run(async (terminal) =>
          (await import("./switch.ts")).switchEndless(on, strategies, options, terminal),
        ),
      );
}

function declareGateway(endless: Command, run: Run): void {
  const gateway = endless
    .command("gateway")
    .description("the way through memoir to the model's API, for the strategy of that name");
  gateway.addHelpText("after", "\nExample:\n  $ memoir endless gateway status");
  gateway
    .command("on")
    .description("listen on this machine, and lead the client through it by its settings")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir endless gateway on && memoir endless on gateway")
    .action((options: GatewayOptions) =>
      run(async (terminal) => (await import("./gateway.ts")).gatewayOn(options, terminal)),
    );
  gateway
    .command("off")
    .description("give the client's settings back, byte for byte")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir endless gateway off")
    .action((options: GatewayOptions) =>
      run(async (terminal) => (await import("./gateway.ts")).gatewayOff(options, terminal)),
    );
  gateway
    .command("status")
    .description("where requests go, what became of them, and the sums of the last batches")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir endless gateway status")
    .action((options: GatewayOptions) =>
      run(async (terminal) =>
        (await import("./gateway-status.ts")).gatewayStatus(options, terminal),
      ),
    );
}
