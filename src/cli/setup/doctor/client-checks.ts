// How memoir stands in the clients beside Claude Code: hooks and tools as they should be, and what only the client can tell.
import { type Finding, fail, ok, warn } from "../../../health/check.ts";
import type { PartFinding } from "../../../install/client-files.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { type ClientStanding, othersHere, standings } from "../clients.ts";
import { runInstalled } from "../installed-binary.ts";
import type { Setup } from "../setup.ts";

const versionMs = 5_000;

/** One finding for each thing that is wrong, one line for a client where all is well, by the client's name; and who else is here. */
export async function checkClients({
  setup,
  terminal,
}: {
  setup: Setup;
  terminal: Terminal;
}): Promise<Finding[]> {
  const standing = await standings(setup, terminal);
  const known = new Set(standing.map(({ client }) => client));
  const others = (await othersHere(terminal)).filter((client) => !known.has(client));
  const found = (await Promise.all(standing.map((one) => findingsOf(one, terminal)))).flat();
  if (others.length === 0) return found;
  const titles = others.map(({ title }) => title).join(", ");
  const names = others.map(({ name }) => name).join(" ");
  const adds = `\`memoir install ${names}\` adds it`;
  return [...found, ok(`also here: ${titles} without memoir; ${adds}`)];
}

async function findingsOf(
  { client: { name, title }, adapter, place, parts }: ClientStanding,
  terminal: Terminal,
): Promise<Finding[]> {
  const wrong = parts.flatMap((part) => wrongPart(part, name) ?? []);
  const own = (await adapter.registration?.look?.(place)) ?? [];
  const found = [...wrong, ...own].map((one) => ({
    ...one,
    name,
    message: `${title}: ${one.message}`,
  }));
  if (wrong.length > 0) return found;
  const version = await versionOf(adapter.registration?.program ?? "", terminal);
  const where = [...new Set(parts.map(({ path }) => path))].join(" and ");
  return [{ ...ok(`${[title, version].filter(Boolean).join(" ")}: ${where}`), name }, ...found];
}

function wrongPart({ path, what, state }: PartFinding, name: string): Finding | undefined {
  const again = `Run \`memoir install ${name}\`.`;
  const of = `${what} in ${path}`;
  const found = {
    none: fail(`${of}: missing`, again),
    current: undefined,
    other: fail(`${of}: not as this version writes it`, again),
    foreign: warn(`${of}: something else bears memoir's name`, "Give that another name."),
    unreadable: fail(`${of}: cannot be read`, `Look at the file, then: ${again}`),
  };
  return found[state];
}

/** What the client says of itself; nothing where it is not in the PATH. */
async function versionOf(program: string, { env }: Terminal): Promise<string> {
  const asked = { ...env, MEMOIR_INTERNAL: "1" };
  const said = await runInstalled(program, ["--version"], asked, versionMs).catch(() => "");
  return /\d+\.\d+(?:\.\d+)?[\w.-]*/.exec(said)?.[0] ?? "";
}
