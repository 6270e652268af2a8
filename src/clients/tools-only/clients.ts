// Clients that are given memoir's tools and a word on when to use them, and tell memoir nothing: as data, without their files.
import type { Client, ClientAbilities } from "../adapter.ts";
import type { ToolsOnlyName } from "./files.ts";

const abilities: ClientAbilities = {
  way: "tools",
  sessionContext: false,
  promptContext: false,
  prompts: "none",
  outcomes: "none",
  results: false,
  sessionEnd: "none",
  mcp: true,
  backfill: false,
};

function client(name: ToolsOnlyName, title: string, remark: string, driven?: string): Client {
  return {
    ...{ name, title, remark },
    abilities: { ...abilities, ...(driven !== undefined && { driven }) },
    load: async () => (await import("./index.ts")).toolsOnlyAdapter(name),
  };
}

/** In the order of the page. */
export const toolsOnlyClients: readonly Client[] = [
  client(
    "cline",
    "Cline",
    "Its hooks tell no prompt, and what they answer is dropped when a task starts. The extension in an editor and the program share these files.",
    "3.0.65",
  ),
  client(
    "windsurf",
    "Windsurf",
    "What its hooks print never reaches the model. The word on when to search is a marked block in your global rules.",
  ),
  client(
    "kiro",
    "Kiro",
    "Its hooks belong to one agent's own description each, and memoir changes none of them. The steering file counts in every project.",
  ),
  client(
    "amp",
    "Amp",
    "It works with its own servers only, so nothing could be tried. Your `AGENTS.md` gets a marked block; where there is a `settings.jsonc`, that is the one that is changed.",
  ),
  client(
    "zed",
    "Zed",
    "For its own agent; agents that it runs for you (Claude Code, Codex, …) are clients by themselves. Your `AGENTS.md` gets a marked block, which Zed reads since May 2026.",
  ),
  client(
    "roo",
    "Roo Code",
    "In Visual Studio Code itself; its relatives (VSCodium, Insiders) have folders of their own. Its makers ended it in May 2026; what is installed goes on.",
  ),
];
