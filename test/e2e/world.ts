// A throw-away world for one scenario: a home, projects, the client in them, and memoir once it is installed.
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { type ClientSession, runClient, type SessionOptions } from "./client-session.ts";
import { type InstallOptions, installMemoir, type Memoir } from "./memoir.ts";

/** What every scenario shares. */
export interface Tools {
  client: string;
  /** The compiled binary under test. */
  memoir: string;
}

type Told = Omit<SessionOptions, "client" | "cwd" | "env">;

/** A project folder in the world. */
export interface Project {
  root: string;
  path(file: string): string;
  /** Runs one client session here. */
  session(options: Told): Promise<ClientSession>;
}

/** One scenario's own home and everything below it. */
export interface World {
  dir: string;
  home: string;
  /** The client's settings folder. */
  claude: string;
  env: Record<string, string>;
  /** The client's program. */
  client: string;
  project(name: string, files: Record<string, string>): Promise<Project>;
  install(options?: InstallOptions): Promise<Memoir>;
}

/** Onboarding and workspace trust, accepted in advance; they would ask a person. What stands in the state otherwise stays. */
function clientState(before: string, roots: string[]): string {
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const projects = Object.fromEntries(roots.map((root) => [root, trusted]));
  const customApiKeyResponses = { approved: ["dummy-test-key"], rejected: [] };
  return JSON.stringify({
    ...JSON.parse(before),
    ...{ hasCompletedOnboarding: true, customApiKeyResponses, projects },
  });
}

function environment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: home,
    TMPDIR: join(home, "tmp"),
    SHELL: "/bin/sh",
    USER: "tester",
    LANG: "C.UTF-8",
    TZ: "UTC",
    ANTHROPIC_API_KEY: "dummy-test-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    // The client refuses to skip permissions as root unless it is told that this is a sandbox.
    IS_SANDBOX: "1",
  };
}

/** Builds a world, hands it to `use`, and takes it down again; `keep` leaves the folder for a look. */
export async function withWorld(
  tools: Tools,
  keep: boolean,
  use: (world: World) => Promise<void>,
): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "memoir-e2e-")));
  const home = join(dir, "home");
  const claude = join(home, ".claude");
  await mkdir(claude, { recursive: true });
  await mkdir(join(home, "tmp"));
  const env = environment(home);
  const roots: string[] = [];
  let memoir: Memoir | undefined;
  const world: World = {
    dir,
    home,
    claude,
    env,
    client: tools.client,
    async project(name, files) {
      const root = join(dir, "code", name);
      for (const [file, text] of Object.entries(files)) {
        await mkdir(dirname(join(root, file)), { recursive: true });
        await writeFile(join(root, file), text);
      }
      roots.push(root);
      const state = join(home, ".claude.json");
      const before = await readFile(state, "utf8").catch(() => "{}");
      await writeFile(state, clientState(before, roots));
      return {
        root,
        path: (file) => join(root, file),
        session: (options) => runClient({ ...options, client: tools.client, cwd: root, env }),
      };
    },
    async install(options) {
      memoir = await installMemoir(tools.memoir, home, env, options);
      return memoir;
    },
  };
  try {
    await use(world);
  } finally {
    await memoir?.end();
    if (!keep) await rm(dir, { recursive: true, force: true });
  }
  return dir;
}
