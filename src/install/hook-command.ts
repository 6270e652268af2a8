// The command line a client is given to run, and the way to recognise it later: one place for both.
import { deafened as deafenedVariables } from "../clients/normal/run-inside.ts";

/** Set to nothing for the hook alone: a shell does this for nothing. */
export const deafened = deafenedVariables.map((name) => `${name}=`).join(" ");

/** What goes into the command. */
interface HookCommandParts {
  /** Absolute path of the installed binary. */
  binary: string;
  /** memoir's home, where it is not the default one: the client's environment may not name it. */
  home?: string | undefined;
  /** As `process.platform` says it. */
  platform: string;
  /** Whose hook it is. */
  client: string;
}

/** What a client starts as its hook: a line for its shell, or a program and its arguments, which need no shell. */
export type HookRun = string | { command: string; args: readonly string[] };

/**
 * The line that runs `binary` as a client's hook. Clients hand it to a POSIX shell, so paths are double-quoted and what a shell
 * would expand is escaped. On Windows one client has Git Bash, the next PowerShell or cmd: a bare path with slashes runs in all
 * three, and one that cannot be bare in a PowerShell of its own, as none of the three starts a quoted program like the others.
 */
export function hookCommand({ binary, home, platform, client }: HookCommandParts): string {
  if (platform !== "win32") {
    const args = hookArguments(client, home === undefined ? home : posixQuoted(home));
    return [deafened, posixQuoted(binary), ...args].join(" ");
  }
  const words = [binary, ...hookArguments(client, home)].map((word) => word.replaceAll("\\", "/"));
  const line = words.join(" ");
  if (words.every((word) => bare.test(word)) && /^[a-z]:\//i.test(line)) return line;
  const quoted = words.map((word) => `'${word.replaceAll("'", "''")}'`);
  return `${ownPowerShell.join(" ")} "& ${quoted.join(" ")}"`;
}

/** Nothing in it means anything to Git Bash, PowerShell or cmd. */
const bare = /^[\p{L}\p{N}_./:-]+$/u;
const ownPowerShell = ["powershell", "-NoProfile", "-Command"];

/**
 * What Claude Code starts. On Windows without a shell, which it may lack and which would be three more processes a tool use;
 * elsewhere by one, as it empties variables for nothing, and clients before 2.1.139 know nothing else.
 */
export function hookRun(parts: HookCommandParts): HookRun {
  if (parts.platform !== "win32") return hookCommand(parts);
  const command = parts.binary.replaceAll("/", "\\");
  return { command, args: hookArguments(parts.client, parts.home) };
}

function hookArguments(client: string, home: string | undefined): string[] {
  return ["hook", client, ...(home === undefined ? [] : ["--home", home])];
}

function posixQuoted(path: string): string {
  return `"${path.replace(/[\\"$`]/g, "\\$&")}"`;
}

/** True for a hook of memoir's, whichever home its binary lies in. */
export function isHookCommand(run: HookRun): boolean {
  return hookBinary(run) !== undefined;
}

/** The binary a memoir hook runs; undefined for every other one. */
export function hookBinary(run: HookRun): string | undefined {
  const words = typeof run === "string" ? shellWords(run) : [run.command, ...run.args];
  if (!words) return undefined;
  const inner = ownPowerShell.every((word, at) => words[at] === word) ? words[3] : undefined;
  // Two quotes are one there.
  if (inner?.startsWith("& ")) return hookBinary(inner.slice(2).replaceAll("''", "'\\''"));
  while (words[0] !== undefined && /^[A-Za-z_]\w*=/.test(words[0])) words.shift();
  const [binary, verb, name] = words;
  if (binary === undefined || verb !== "hook" || !clientName.test(name ?? "")) return undefined;
  return /(?:^|[/\\])memoir(?:\.exe)?$/i.test(binary) ? binary : undefined;
}

/** A plugin may know it that is gone by now. */
const clientName = /^[a-z][a-z0-9-]*$/;

/** The words of a simple command as a POSIX shell reads them; undefined where it is more than one simple command. */
function shellWords(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < command.length; at++) {
    const char = command.charAt(at);
    const next = command.charAt(at + 1);
    if (quote === "'") {
      if (char === "'") quote = "";
      else word += char;
    } else if (char === "\\" && (quote === "" || /[\\"$`\n]/.test(next))) {
      word = (word ?? "") + next;
      at++;
    } else if (quote === '"') {
      if (char === '"') quote = "";
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (/[;&|<>()]/.test(char)) {
      return undefined;
    } else word = (word ?? "") + char;
  }
  if (quote !== "") return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
