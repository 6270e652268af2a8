// How memoir is put into a client's settings: a description, which `src/install` carries out and takes back byte for byte.
import type { Environment } from "../home/paths.ts";
import type { ClientEventName } from "../sdk/events.ts";

/** What a client's settings are to say. */
export interface RegistrationPlace {
  env: Environment;
  /** `<home>/bin/memoir`. */
  binary: string;
  /** memoir's home where it is not the usual one. */
  home: string | undefined;
  /** The command that the client's hooks run; it must not change between versions. */
  command: string;
  /** Events that enabled plugins live from, with the seconds after which the client may give up. */
  events: ReadonlyMap<ClientEventName, number>;
}

/**
 * One thing of memoir's in a file. Others' settings stay as they are, byte for byte; ours come last.
 * - `hooks`: command hooks below `hooks`, in Claude Code's form or without its groups.
 * - `server`: an MCP server in a JSON object of servers, the last of `at` being its name; or anything else that runs memoir by
 *   a name of its own (`what`).
 * - `whole`: the file is memoir's own.
 * - `edit`: any other form, as pure functions of the text. `take(put(text))` need not be `text`: what nobody changed since
 *   is given back from a copy.
 */
export type RegistrationPart =
  | {
      kind: "hooks";
      /** The client's name of an event → what it is to run. */
      events: ReadonlyMap<string, { matcher?: string; timeout?: number }>;
      /** Further fields of each command: how the client names it where it shows that it runs. */
      named?: Readonly<Record<string, string>>;
      /** A list of commands for each event, without groups; what must stand beside `hooks`, where it is missing. */
      flat?: { version: number };
    }
  | {
      kind: "server";
      at: readonly string[];
      entry: Readonly<Record<string, unknown>>;
      /** What it is, in a word or two; absent: an MCP server. */
      what?: string;
    }
  | { kind: "whole"; text: string }
  | {
      kind: "edit";
      /** What it is, in a word or two: `hooks`, `MCP server`. */
      what: string;
      put(text: string, path: string): string;
      take(text: string, path: string): string;
      /** Whether something of memoir's stands in it, as it should or not. */
      state(text: string, path: string): "none" | "current" | "other";
    };

export type HooksPart = RegistrationPart & { kind: "hooks" };

/** A file that is changed. */
export interface RegistrationFile {
  /** Absolute. */
  path: string;
  parts: readonly RegistrationPart[];
}

/** What a look at the client itself found, for `doctor`. */
export interface ClientFinding {
  state: "ok" | "warn" | "fail";
  message: string;
  fix?: string;
}

/** Where a client is, and what has to stand in its settings. */
export interface ClientRegistration {
  /** The client's program, as a shell finds it; it is asked for `--version`. Empty where it is none of its own. */
  program: string;
  /** The folder of its settings: where it is, so is the client, also without a program in the PATH. */
  folder(env: Environment): string;
  /** Events that can be registered. */
  events: readonly ClientEventName[];
  files(place: RegistrationPlace): readonly RegistrationFile[];
  /** What a person has to do after an install, one line each. */
  notes?(place: RegistrationPlace): readonly string[];
  /** What only the client can tell of its hooks, such as whether they are trusted. Never rejects. */
  look?(place: RegistrationPlace): Promise<readonly ClientFinding[]>;
}
