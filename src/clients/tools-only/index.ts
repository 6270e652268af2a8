// Clients that tell memoir nothing: where each keeps its MCP servers and its rules, by their documentation.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientAdapter, RegistrationPart } from "../adapter.ts";
import { serverPart } from "../normal/registration.ts";

// The word to an agent on when to use memoir's tools: a file of memoir's own, or a block in one that is the user's.

const text = `# Memory of earlier sessions (memoir)

The tools of the MCP server \`memoir\` know what was said and done in earlier sessions, also with other agents.

- \`search\` (\`queries\`: the question in two to four ways) when the user speaks of earlier work that you have not seen, and before you debug
  an error or choose an approach; then \`get\` with the ids that matter. Not for what is in the files in front of you.
- \`remember\` only what the user asked to keep, with their own words as \`quote\`.
`;

/** Where every file in a folder is a rule. */
export const rulesFile: RegistrationPart = { kind: "whole", text };

const [begin, end] = ["<!-- memoir: begin -->", "<!-- memoir: end -->"];
const block = `${begin}\n${text}${end}\n`;

/** The block with the lines around it that are its own. */
const found = new RegExp(`${begin}\\r?\\n[\\s\\S]*?${end}(?:\\r?\\n|$)`);

/** Where all rules stand in one file. */
export const rulesBlock: RegistrationPart = {
  kind: "edit",
  what: "rules",
  put(old) {
    if (found.test(old)) return old.replace(found, () => block);
    return old === "" ? block : `${old}${old.endsWith("\n") ? "\n" : "\n\n"}${block}`;
  },
  take: (whole) => whole.replace(new RegExp(`(?:\\r?\\n)?${found.source}`), ""),
  state(whole) {
    const [own] = found.exec(whole) ?? [];
    return own === undefined ? "none" : own === block ? "current" : "other";
  },
};

/** One client's files. */
interface ToolsOnlyFiles {
  /** The program, as a shell finds it. */
  program: string;
  /** Where it is, so is the client. */
  folder(env: Environment): string;
  /** Of its MCP servers. */
  servers(env: Environment): string;
  /** Where in them memoir stands; absent: `mcpServers`. */
  at?: readonly string[];
  rules(env: Environment): string;
  /** The rules are a file of memoir's own, or a block in the user's. */
  part: RegistrationPart;
}

const below =
  (...path: string[]) =>
  (env: Environment): string =>
    join(userHome(env), ...path);

export const toolsOnlyFiles = {
  cline: {
    program: "cline",
    folder: below(".cline"),
    servers: below(".cline", "data", "settings", "cline_mcp_settings.json"),
    rules: below(".cline", "rules", "memoir.md"),
    part: rulesFile,
  },
  windsurf: {
    program: "windsurf",
    folder: below(".codeium", "windsurf"),
    servers: below(".codeium", "windsurf", "mcp_config.json"),
    rules: below(".codeium", "windsurf", "memories", "global_rules.md"),
    part: rulesBlock,
  },
  kiro: {
    program: "kiro-cli",
    folder: below(".kiro"),
    servers: below(".kiro", "settings", "mcp.json"),
    rules: below(".kiro", "steering", "memoir.md"),
    part: rulesFile,
  },
  amp: {
    program: "amp",
    folder: ampFolder,
    servers: (env) => {
      const commented = join(ampFolder(env), "settings.jsonc");
      return existsSync(commented) ? commented : join(ampFolder(env), "settings.json");
    },
    // One key with a dot in it.
    at: ["amp.mcpServers", "memoir"],
    rules: (env) => join(ampFolder(env), "AGENTS.md"),
    part: rulesBlock,
  },
  zed: {
    program: "zed",
    folder: zedFolder,
    servers: (env) => join(zedFolder(env), "settings.json"),
    at: ["context_servers", "memoir"],
    rules: (env) => join(zedFolder(env), "AGENTS.md"),
    part: rulesBlock,
  },
  roo: {
    // It is no program of its own.
    program: "",
    folder: rooFolder,
    servers: (env) => join(rooFolder(env), "settings", "mcp_settings.json"),
    rules: below(".roo", "rules", "memoir.md"),
    part: rulesFile,
  },
} satisfies Readonly<Record<string, ToolsOnlyFiles>>;

function ampFolder(env: Environment): string {
  return join(userHome(env), ".config", "amp");
}

/** On a Mac too it is the one that Linux has. */
function zedFolder(env: Environment): string {
  const usual = join(userHome(env), ".config", "zed");
  const others = [
    ...(env.XDG_CONFIG_HOME ? [join(resolve(env.XDG_CONFIG_HOME), "zed")] : []),
    ...(env.APPDATA ? [join(resolve(env.APPDATA), "Zed")] : []),
  ];
  return others.find((folder) => existsSync(folder)) ?? usual;
}

function rooFolder(env: Environment): string {
  const usual = join(userHome(env), ".config", "Code");
  const others = [
    join(userHome(env), "Library", "Application Support", "Code"),
    ...(env.APPDATA ? [join(resolve(env.APPDATA), "Code")] : []),
  ];
  const editor = others.find((folder) => existsSync(folder)) ?? usual;
  return join(editor, "User", "globalStorage", "rooveterinaryinc.roo-cline");
}

/** The adapter of the client that is named. */
export function toolsOnlyAdapter(name: keyof typeof toolsOnlyFiles): ClientAdapter {
  const { program, folder, servers, at, rules, part }: ToolsOnlyFiles = toolsOnlyFiles[name];
  return {
    name,
    parse() {
      throw new MemoirError("payload_invalid", `${name} has no hooks that report to memoir.`);
    },
    original: () => undefined,
    render: () => undefined,
    registration: {
      program,
      folder,
      events: [],
      files: (place) => [
        { path: servers(place.env), parts: [serverPart(place, at)] },
        { path: rules(place.env), parts: [part] },
      ],
    },
  };
}
