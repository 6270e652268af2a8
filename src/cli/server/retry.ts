// `memoir server retry`: puts work that was given up after its last try back to work.
import { MemoirError } from "../../sdk/errors.ts";
import { plural } from "../../text/text.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { server } from "./client.ts";

/** Gives exit code 0, also when nothing was parked. Throws `usage` for an id that is no whole number. */
export async function retry(
  ids: readonly string[],
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const wrong = ids.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong !== undefined)
    throw new MemoirError("usage", `“${wrong.slice(0, 40)}” is no id of parked work.`, {
      fix: "Use the ids of `parked` in `memoir status --json`, or none for all of it.",
    });
  const { retried } = await server.post("/api/retry", {
    body: ids.length > 0 ? { ids: ids.map(Number) } : {},
  });
  if (options.json) terminal.print(JSON.stringify({ retried }));
  else if (retried === 0)
    terminal.print(
      ids.length > 0 ? `No parked work has the id ${ids.join(", ")}.` : "Nothing was given up.",
    );
  else terminal.print(`${plural(retried, "piece")} of work put back; see \`memoir status\`.`);
  return 0;
}
