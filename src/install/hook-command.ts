// The command line a client is given to run, and the way to recognise it later: one place for both.
import { clients } from "../clients/index.ts";
import { deafened as deafenedVariables } from "../home/deafened.ts";

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

/**
 * The shell command that runs `binary` as a client's hook. Clients hand it to a POSIX shell (on Windows to Git
 * Bash), so paths are double-quoted, what a shell would expand is escaped, and backslashes of Windows paths become
 * slashes.
 */
export function hookCommand({ binary, home, platform, client }: HookCommandParts): string {
  const quote = (path: string) => {
    const plain = platform === "win32" ? path.replaceAll("\\", "/") : path;
    return `"${plain.replace(/[\\"$`]/g, "\\$&")}"`;
  };
  return `${deafened} ${quote(binary)} hook ${client}${home === undefined ? "" : ` --home ${quote(home)}`}`;
}

/** True for a hook command of memoir's, whichever home its binary lies in. */
export function isHookCommand(command: string): boolean {
  return hookBinary(command) !== undefined;
}

/** The binary a memoir hook command runs; undefined for every other command. */
export function hookBinary(command: string): string | undefined {
  const words = shellWords(command);
  if (!words) return undefined;
  while (words[0] !== undefined && /^[A-Za-z_]\w*=/.test(words[0])) words.shift();
  const [binary, verb, name] = words;
  if (binary === undefined || verb !== "hook" || !clients.has(name ?? "")) return undefined;
  return /(?:^|[/\\])memoir(?:\.exe)?$/i.test(binary) ? binary : undefined;
}

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
