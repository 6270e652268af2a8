// Another client than Claude Code, as the end-to-end suite drives it: fetched from the npm registry in the version that is named here.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { isIsolated } from "../isolation.ts";
import type { ToolCall } from "./chat-api.ts";

/** What the suite has to know of one client. */
export interface OtherClient {
  /** As memoir names it. */
  name: string;
  /** Which form of its tools its model uses, where that is not the client's default. */
  form?: string;
  version: string;
  /** What npm installs. */
  packages: readonly string[];
  /** The program with what comes before its own arguments, in the folder that npm filled. */
  command(folder: string): string[];
  /** Its settings, as a user has them before memoir comes: path below the home → text. */
  settings(api: string): Record<string, string>;
  /** Of these, what it writes itself as it runs. */
  writes?: readonly string[];
  /** Links below the home, to what npm brought: path → path in its folder. */
  links?: Record<string, string>;
  /** Added to the world's. */
  env(api: string): Record<string, string>;
  /** The arguments of one session without a screen. */
  ask(prompt: string): string[];
  /** The same, to go on with its last session, which bears that id. */
  goOn?(prompt: string, session: string): string[];
  /** What its model says to use a tool. */
  tools: {
    read(path: string): ToolCall;
    edit(path: string, before: string, after: string): ToolCall;
    run(command: string): ToolCall;
    /** memoir's own search. */
    search(query: string): ToolCall;
  };
}

/** One that gets memoir's tools, and tells nothing of what it does. */
export type ToolsClient = Omit<OtherClient, "tools"> & {
  tools: Pick<OtherClient["tools"], "search">;
};

/** What a scenario of it is named. */
export function scenarioName({ name, form }: ToolsClient, what: string): string {
  return `client ${name}${form === undefined ? "" : ` ${form}`}: ${what}`;
}

/** The folder that npm filled, or why the client cannot be had here. */
export type Fetched = { folder: string } | { missing: string };

/** Finds or fetches a client. Never throws: says why not instead. */
export async function fetchClient(client: ToolsClient): Promise<Fetched> {
  if (!Bun.which("node")) return { missing: "there is no node here" };
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const folder = join(cache, "memoir-e2e", `${client.name}-${client.version}`);
  if (!existsSync(folder) && isIsolated()) return { missing: "it could not be fetched" };
  const failure = existsSync(folder) ? undefined : await fetchInto(folder, client.packages);
  if (failure !== undefined) return { missing: failure };
  const program = client.command(folder).at(-1) ?? "";
  return existsSync(program) ? { folder } : { missing: `npm brought no ${program}` };
}

/** Installs beside the target and renames, so that a broken download is never mistaken for the client. */
async function fetchInto(folder: string, packages: readonly string[]): Promise<string | undefined> {
  console.log(`fetching ${packages.join(" ")} (once) …`);
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  let temporary: string | undefined;
  try {
    await mkdir(dirname(folder), { recursive: true });
    temporary = await mkdtemp(`${folder}-`);
    const npm = Bun.spawn(["npm", "install", "--prefix", temporary, ...options, ...packages], {
      stdout: "ignore",
      stderr: "pipe",
    });
    const errors = await new Response(npm.stderr).text();
    const reason = errors.split("\n").slice(0, 4).join("; ");
    if ((await npm.exited) !== 0) return `npm could not fetch ${packages.join(" ")}: ${reason}`;
    await rename(temporary, folder);
    return undefined;
  } catch (error) {
    return `npm could not be run: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}
