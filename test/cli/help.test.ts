// Every command's help as a person reads it at 80 columns, and the completion scripts made of the same declarations.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { commands, shells } from "../../src/cli/commands/index.ts";
import { allCommands, declareProgram } from "../../src/cli/program.ts";
import { completionScript, placesOf } from "../../src/cli/setup/completions.ts";
import { expectGolden } from "../support/golden.ts";
import { plainTerminal } from "../support/plain-terminal.ts";

const golden = (name: string) => join(import.meta.dir, "help", name);

test("help of every command", async () => {
  const terminal = plainTerminal({ width: 80 });
  const program = declareProgram(terminal, async () => {});
  for (const command of [program, ...allCommands(program)]) command.outputHelp();
  expect(terminal.out.length).toBeGreaterThan(60);
  await expectGolden(golden("help.txt"), `${terminal.out.join("\n\n=====\n\n")}\n`);
});

test.each(shells.map((shell) => [shell]))("completions for %s", async (shell) => {
  await expectGolden(golden(`completions.${shell}`), completionScript(shell, placesOf(commands)));
});
