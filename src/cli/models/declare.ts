// Declares `memoir provider list | test | key`.
import type { Command } from "commander";
import type { Run } from "../terminal/run.ts";
import type { KeyOptions } from "./provider-key.ts";

interface JsonOption {
  json?: boolean;
}

/** Adds the command to `program`. */
export function declareProvider(program: Command, run: Run): void {
  const provider = program
    .command("provider")
    .description("which model may be asked: list, try, and give the key");
  provider.addHelpText(
    "after",
    "\nExample:\n  $ memoir provider key anthropic\n  $ memoir config set slots.provider anthropic\n  $ memoir provider test",
  );
  provider
    .command("list")
    .description("every provider, and which are asked in which order")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ memoir provider list")
    .action((options: JsonOption) =>
      run(async (terminal) => (await import("./provider.ts")).listProviders(options, terminal)),
    );
  provider
    .command("test")
    .description("make a tiny call, and say in words what is wrong if it fails")
    .argument("[name]", "a provider; default: those that config names")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExits with 1 when a provider failed.\n\nExample:\n  $ memoir provider test anthropic",
    )
    .action((name: string | undefined, options: JsonOption) =>
      run(async (terminal) =>
        (await import("./provider.ts")).testProviders(name, options, terminal),
      ),
    );
  provider
    .command("key")
    .description("store a provider's key, typed unseen or from stdin, in a file only you can read")
    .argument("<name>", "a provider")
    .option("--remove", "take the key out again")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ memoir provider key anthropic\n  $ memoir provider key anthropic < key.txt",
    )
    .action((name: string, options: KeyOptions) =>
      run(async (terminal) =>
        (await import("./provider-key.ts")).providerKey(name, options, terminal),
      ),
    );
}
