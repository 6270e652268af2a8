// The table of docs/clients.md: what each client lets memoir do, as the table of clients says it.
import { join } from "node:path";
import type { ClientAbilities } from "../clients/adapter.ts";
import { adapterOf, clients } from "../clients/index.ts";
import { formatted } from "./formatted.ts";

/** Absolute. */
export const clientsPage = join(import.meta.dirname, "../../docs/clients.md");

/** Where Claude Code's files are said: `src/install` writes them without a description. */
const firstFiles = ["~/.claude/settings.json", "~/.claude.json"];

const [begin, end] = ["<!-- table: begin -->\n", "<!-- table: end -->\n"];

/** The page with its table as it has to be. Throws where the page has no place for it. */
export async function clientsPageText(page: string): Promise<string> {
  const [head, rest] = page.split(begin);
  const [, tail] = rest?.split(end) ?? [];
  if (head === undefined || tail === undefined)
    throw new Error("docs/clients.md has no mark for its table.");
  return formatted(`${head}${begin}\n${table()}\n${await remarks()}\n${end}${tail}`, "clients.md");
}

function table(): string {
  const header = [
    ...["client", "`memoir install …`", "context at the start", "with a prompt", "prompts"],
    ...["how tools ended", "results made smaller", "session's end", "MCP tools", "backfill"],
    "tested with",
  ];
  const rows = [...clients.values()].map(({ name, title, abilities }) => [
    ...[title, `\`${name}\``],
    ...cells(abilities),
  ]);
  const lines = [header, header.map(() => "---"), ...rows];
  return `${lines.map((cellsOf) => `| ${cellsOf.join(" | ")} |`).join("\n")}\n`;
}

/** One entry a client: the files that an install changes, and what is particular. */
async function remarks(): Promise<string> {
  const lines = [...clients.values()].map(async (client) => {
    const { registration } = await adapterOf(client);
    const place = { env: { HOME: "/~" }, binary: "", home: undefined, command: "" };
    const files = registration?.files({ ...place, events: new Map() });
    const paths = files?.map(({ path }) => path.replace("/~/", "~/")) ?? firstFiles;
    return `- **${client.title}**: ${paths.map((path) => `\`${path}\``).join(", ")}. ${client.remark}\n`;
  });
  return (await Promise.all(lines)).join("");
}

function cells(abilities: ClientAbilities): string[] {
  const yes = (is: boolean) => (is ? "yes" : "–");
  const words = {
    hook: "by hook",
    transcript: "from the transcript",
    none: "–",
    quiet: "by silence",
  };
  return [
    ...[yes(abilities.sessionContext), yes(abilities.promptContext), words[abilities.prompts]],
    ...[words[abilities.outcomes], yes(abilities.results), words[abilities.sessionEnd]],
    ...[yes(abilities.mcp), yes(abilities.backfill)],
    abilities.driven ?? (abilities.way === "tools" ? "documentation" : "documented payloads"),
  ];
}
