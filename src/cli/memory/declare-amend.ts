// Declares the commands that correct memory: edit, confirm, merge, pin, unpin, hide, unhide.
import type { Command } from "commander";
import type { Run } from "../terminal/run.ts";
import type { EditOptions } from "./edit.ts";
import type { MarkOptions, MarkVerb } from "./mark.ts";

const verbs: Record<MarkVerb, { does: string; more: string; example: string }> = {
  pin: {
    does: "always tell records first when a session of their project starts",
    more: "Without ids, what is pinned.",
    example: "memoir pin m4 o12",
  },
  unpin: { does: "pin records no longer", more: "", example: "memoir unpin m4" },
  hide: {
    does: "keep records, and never tell an agent of them",
    more: `A session hides all that is of it. \`memoir search\` still finds it for you, marked.
Without ids, what is hidden.`,
    example: "memoir hide o12 3f2a91c0",
  },
  unhide: {
    does: "hide records no longer, merged ones too",
    more: "",
    example: "memoir unhide o12",
  },
  confirm: {
    does: "say that memory items stand, in the words that they have",
    more: "",
    example: "memoir confirm m4 m7",
  },
};

/** Adds the commands to `program`. */
export function declareAmendCommands(program: Command, run: Run): void {
  program
    .command("edit")
    .description("write a record in your own words; no later run writes over them")
    .argument("<id>", "an id as search prints it; a session's may be its beginning")
    .option("--title <text>", "of an observation or a session")
    .option("--subtitle <text>", "of an observation or a session")
    .option("--text <text>", "the story of an observation, what an item says, what was completed")
    .option(
      "--fact <text>",
      "a fact of an observation, instead of all it had; may be repeated",
      (fact: string, before: string[] = []) => [...before, fact],
    )
    .option("--context <text>", "what stands beside a memory item")
    .option(
      "--set <field=text>",
      "any other text: next-steps=…; may be repeated",
      (pair: string, before: string[] = []) => [...before, pair],
    )
    .option("--undo", "give back what was there before it was edited")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Without options your editor opens (VISUAL, EDITOR). Prompts and turns are evidence, and
stay as they were said: hide or forget them.

Examples:
  $ memoir edit m4 --text "Tests run with bun test"
  $ memoir edit o12 --title "Tokens live a day" --fact "Measured on 2026-11-21"
  $ memoir edit o12 --undo`,
    )
    .action((id: string, options: EditOptions) =>
      run(async (terminal) => (await import("./edit.ts")).edit(id, options, terminal)),
    );
  program
    .command("merge")
    .description("tell several records by one alone: the others are hidden, and name it")
    .argument("<into>", "the id of the one that stays")
    .argument("<id...>", "ids of those that say it too")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Observations with observations, memory items with memory items, of one project.
\`memoir edit\` gives the one that stays better words, \`memoir unhide\` parts them again.

Example:
  $ memoir merge m4 m7 m9`,
    )
    .action((into: string, ids: string[], options: MarkOptions) =>
      run(async (terminal) => (await import("./mark.ts")).merge(into, ids, options, terminal)),
    );
  for (const [verb, { does, more, example }] of Object.entries(verbs)) {
    const command = program.command(verb).description(does);
    const lists = more === "" ? "<id...>" : "[id...]";
    command.argument(lists, "ids as search prints them; a session's may be its beginning");
    if (more !== "")
      command.option("-p, --project <project>", "list only this project's (name or id)");
    command
      .option("--json", "print JSON")
      .addHelpText("after", `${more === "" ? "" : `\n${more}\n`}\nExample:\n  $ ${example}`)
      .action((ids: string[], options: MarkOptions) =>
        run(async (terminal) =>
          (await import("./mark.ts")).mark(verb as MarkVerb, ids, options, terminal),
        ),
      );
  }
}
