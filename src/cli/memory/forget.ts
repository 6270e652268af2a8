// `memoir forget`: takes records out of memory for good.
import { MemoirError } from "../../sdk/errors.ts";
import { server } from "../server/client.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface ForgetOptions {
  yes?: boolean;
  json?: boolean;
}

/** Asks first; gives 1 when the person said no. Throws `record_not_found` when nothing has these ids. */
export async function forget(
  ids: readonly string[],
  { yes = false, json = false }: ForgetOptions,
  terminal: Terminal,
): Promise<number> {
  if (!yes) {
    if (!terminal.interactive || json)
      throw new MemoirError("usage", "Nobody is here to be asked whether to forget.", {
        fix: "Say `--yes`; `memoir show` prints what would go.",
      });
    if (!(await terminal.confirm(`Forget ${ids.join(", ")} for good?`, false))) {
      terminal.print("Nothing was changed.");
      return 1;
    }
  }
  const { deleted } = await server.post("/api/forget", { body: { ids: [...ids] } });
  if (deleted.length === 0)
    throw new MemoirError("record_not_found", `There is no record ${ids.join(", ")} to forget.`);
  terminal.print(json ? JSON.stringify({ deleted }) : `Forgotten: ${deleted.join(", ")}.`);
  return 0;
}
