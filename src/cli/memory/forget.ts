// `memoir forget`: takes records, or a whole session, out of memory for good.
import { MemoirError } from "../../sdk/errors.ts";
import { server } from "../server/client.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface ForgetOptions {
  yes?: boolean;
  json?: boolean;
}

/** Says what would go and asks; gives 1 when the person said no. Throws `record_not_found` when nothing has these ids. */
export async function forget(
  given: readonly string[],
  { yes = false, json = false }: ForgetOptions,
  terminal: Terminal,
): Promise<number> {
  const ids = [...given];
  if (!yes) {
    if (!terminal.interactive || json)
      throw new MemoirError("usage", "Nobody is here to be asked whether to forget.", {
        fix: "Say `--yes`; `memoir show` prints what would go.",
      });
    const { going, derived } = printable(
      await server.post("/api/forget", { body: { ids, dryRun: true } }),
    );
    terminal.print("This would go for good:");
    for (const line of going) terminal.print(`  ${line}`);
    if (derived.length > 0)
      terminal.print(`What was derived from it would stay: ${derived.join(", ")}.`);
    if (!(await terminal.confirm("Forget it?", false))) {
      terminal.print("Nothing was changed.");
      return 1;
    }
  }
  const { deleted, derived } = await server.post("/api/forget", { body: { ids } });
  if (json) {
    terminal.print(JSON.stringify({ deleted, derived }));
    return 0;
  }
  terminal.print(`Forgotten: ${deleted.join(", ")}.`);
  if (derived.length > 0)
    terminal.print(
      terminal.colors.dim(
        `Derived from it, and still there: \`memoir forget ${derived.join(" ")}\``,
      ),
    );
  return 0;
}
