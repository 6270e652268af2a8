// The invitation of a container or of CI: the variable MEMOIR_SYNC itself, or the file that it names.
import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { MemoirError } from "../sdk/errors.ts";

/** Takes it up. Rejects with what is wrong, where, and what to do; what may be a secret is not quoted. */
export async function joinFromEnv(
  given: string,
  join: (text: string) => Promise<unknown>,
): Promise<void> {
  const isInvitation = given.startsWith("memoir-invitation");
  const file = isAbsolute(given) ? given : "a file";
  const where = isInvitation ? "MEMOIR_SYNC" : `MEMOIR_SYNC names ${file}`;
  const fix = isInvitation
    ? "Set it to the whole line of `memoir sync invite --key`, then run `memoir server stop`: the next command starts with it."
    : "Put the line of `memoir sync invite --key` there; it is read again within a minute.";
  const wrong = (code: string, says: string) =>
    new MemoirError(code as "sync_invitation", `${where}: ${says} ${fix}`, { fix });
  const text = isInvitation
    ? given
    : await readFile(given, "utf8").catch(() => {
        throw wrong("sync_invitation", "It cannot be read.");
      });
  try {
    await join(text);
  } catch (error) {
    if (!(error instanceof MemoirError) || error.code !== "sync_invitation") throw error;
    throw wrong(error.code, error.message);
  }
}
