// What a home and its server say of themselves: for `memoir doctor`, which looks at clients as well, and for whoever asks the server.
import type { Environment, Paths } from "../home/paths.ts";
import type { ServerStatus } from "../server/schemas/status.ts";
import { checkBackups } from "./backup-checks.ts";
import { attempt, type Check, ok } from "./check.ts";
import { checkFindings } from "./finding-checks.ts";
import {
  checkConfig,
  checkGiven,
  checkHome,
  checkHookLog,
  checkSpool,
  checkUnkept,
} from "./home-checks.ts";
import { checkStatus } from "./server-checks.ts";

export interface HomeAsked {
  paths: Paths;
  platform: string;
  env: Environment;
  /** Epoch ms. */
  now: number;
}

/** The folder, and what was found out about its files; `seen` notes that this was read. */
export async function checkFolder(asked: HomeAsked, seen = false): Promise<Check[]> {
  const { paths, now } = asked;
  return [
    ...(await attempt("home", () => checkHome(paths, asked))),
    ...(await attempt("damage", () => checkFindings(paths, now, seen))),
  ];
}

/** What the user gave: the config, keys, trust. */
export async function checkSettings(asked: HomeAsked): Promise<Check[]> {
  return [
    ...(await attempt("config", () => checkConfig(asked.paths, asked))),
    ...(await attempt("keys", () => checkGiven(asked.paths))),
  ];
}

/** A server that answers, in one or several checks. */
export const checkServed = (status: ServerStatus, now: number) =>
  attempt("server", () => checkStatus(status, now));

/** What is kept and what waits. `served`: a server runs; `toGo`: what memory is about to let go, in words. */
export async function checkKept(
  { paths, now }: HomeAsked,
  { served, toGo }: { served: boolean; toGo(): Promise<string | undefined> },
): Promise<Check[]> {
  return [
    ...(await attempt("to go", async () => {
      const said = await toGo();
      return said === undefined ? [] : [ok("to go", said)];
    })),
    ...(await attempt("kept", () => checkUnkept(paths))),
    ...(await attempt("backups", () => checkBackups(paths, now))),
    ...(await attempt("spool", () => checkSpool(paths, served, now))),
    ...(await attempt("hook log", () => checkHookLog(paths, now))),
  ];
}
