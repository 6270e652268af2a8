// Remote URLs, git's config and what git prints → the one name of a repository, however it was cloned. Pure.
import { isAbsolute, resolve } from "node:path";

/** A longer URL names no repository that anybody has. */
const longestUrl = 1_000;

/** Hosts that serve one repository under a second name. */
const hostAliases: Readonly<Record<string, string>> = {
  "ssh.github.com": "github.com",
  "altssh.gitlab.com": "gitlab.com",
  "altssh.bitbucket.org": "bitbucket.org",
  "ssh.dev.azure.com": "dev.azure.com",
};

/**
 * `github.com/acme/shop` for every way to write that remote: https, ssh, git, `git@host:path`; user, password, port
 * and `.git` do not count, the host's case neither. A local remote becomes its absolute path, relative to `root`.
 * Undefined when nothing is left to name.
 */
export function normaliseRemote(url: string, root: string): string | undefined {
  const trimmed = url.trim().replace(/^[a-z][\w-]*::/i, "");
  if (trimmed === "" || trimmed.length > longestUrl || control.test(trimmed)) return undefined;
  const full = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.*)?$/i.exec(trimmed);
  if (full) {
    const [, scheme = "", authority = "", path = ""] = full;
    if (scheme.toLowerCase() === "file" || authority === "") return cleanPath(path) || undefined;
    return named(hostOf(authority), path);
  }
  const local = isAbsolute(trimmed) || /^\.{1,2}(?:[\\/]|$)|^[a-z]:[\\/]/i.test(trimmed);
  const short = /^([^:/\\]+):(.+)$/.exec(trimmed);
  if (short && !local) return named(hostOf(short[1] ?? ""), short[2] ?? "");
  return cleanPath(resolve(root, trimmed)) || undefined;
}

/** `user:password@Host:22` → `host`. */
function hostOf(authority: string): string {
  const host = authority.slice(authority.lastIndexOf("@") + 1).toLowerCase();
  const bare = host.startsWith("[") ? host.replace(/\]:\d+$/, "]") : host.replace(/:\d*$/, "");
  return hostAliases[bare] ?? bare;
}

function named(host: string, path: string): string | undefined {
  let parts = cleanPath(path)
    .split("/")
    .filter((part) => part !== "" && part !== "~");
  // Azure writes one repository as `v3/org/project/repo` and as `org/project/_git/repo`.
  if (host === "dev.azure.com")
    parts = parts.filter((part, i) => part !== "_git" && (i > 0 || part !== "v3"));
  if (host === "" || parts.length === 0) return undefined;
  return `${host}/${parts.join("/")}`;
}

function cleanPath(path: string): string {
  return decode(path.replace(/[?#].*$/, ""))
    .replace(/\/+$/, "")
    .replace(/\.git$/i, "")
    .replace(/\/+$/, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no name of anything holds them
const control = /[\u0000-\u001f\u007f-\u009f]/;

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    return control.test(decoded) ? text : decoded;
  } catch {
    return text;
  }
}

/** The URL of remote `origin`, else of the first remote, in the text of a git config file. */
export function remoteUrl(config: string): string | undefined {
  let section: string | undefined;
  let first: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const heading = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (heading) section = heading[1]?.toLowerCase() === "remote" ? (heading[2] ?? "") : undefined;
    const entry = /^(?:\s*\[[^\]]*\])?\s*url\s*=\s*(.+)$/i.exec(line);
    if (section === undefined || !entry) continue;
    const url = unquote(entry[1] ?? "");
    if (section === "origin") return url;
    first ??= url;
  }
  return first;
}

function unquote(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value.trim());
  if (quoted) return (quoted[1] ?? "").replace(/\\(.)/g, "$1");
  return value.replace(/\s+[#;].*$/, "").trim();
}

/** The branch in the text of a HEAD file; undefined when it is detached, or named as git would not name one. */
export function branchOf(head: string): string | undefined {
  const name = /^ref:\s*refs\/heads\/([^\s~^:?*[\\]{1,255})\s*$/.exec(head)?.[1];
  return name === undefined || control.test(name) ? undefined : name;
}

/**
 * The remote that git named in what a command printed, where the command ran in `cwd` and nowhere else, and spoke of `origin`:
 * `To github.com:acme/shop.git` of a push, `From …` of a pull or fetch, a line of `git remote -v`. Undefined where it may be another's.
 */
export function remoteInOutput(command: string, output: string, cwd: string): string | undefined {
  const moves = [...command.matchAll(/(?:^|[;&|(\s])(?:cd|pushd|git\s+-C)\s+["']?([^\s"';&|)]+)/g)];
  const leaves = moves.some(([, folder = ""]) => folder !== "." && resolve(cwd, folder) !== cwd);
  if (leaves || /\bgit\s+clone\b|--git-dir|GIT_DIR=/.test(command)) return undefined;
  const asked = [...command.matchAll(/\bgit\b[^;&|\n]*?\b(?:push|pull|fetch)\b([^;&|\n>]*)/g)];
  const named = asked.map(([, words = ""]) =>
    words.split(/\s+/).find((word) => /^[^\d-]/.test(word)),
  );
  if (named.some((remote = "origin") => remote !== "origin")) return undefined;
  if (asked.length === 0 && !/\bgit\b[^;&|\n]*\bremote\b/.test(command)) return undefined;
  const lines = output.matchAll(/^(?:To|From|origin)\s+(\S+)(?: \((?:fetch|push)\))?\s*$/gm);
  const remotes = new Set([...lines].map(([, url = ""]) => normaliseRemote(url, cwd)));
  const [remote] = remotes;
  return remotes.size === 1 && remote !== undefined && !isAbsolute(remote) ? remote : undefined;
}

/** What a folder's own tool uses have named so far. */
export interface Named {
  /** Folders in it, relative to it. */
  folders: Set<string>;
  /** Folders that were named by a repository's address, by that address. */
  remotes: Map<string, Set<string>>;
}

/** More names of one folder say nothing new. */
const mostNames = 1_000;
/** So many folders, one of them so deep, are a repository's own, and no two repositories' by chance. */
const own = { folders: 2, depth: 3 };
/** `github.com/acme/shop/internal/db`; the path of a link, of a version or of a file is no folder's. */
const addressed =
  /(?<![\w./@:-])((?:[a-z\d-]+\.)+[a-z]{2,}\/[\w.-]+\/[\w.-]+)\/([\w-]+(?:\/[\w-]+)+)(?![\w./@-])/gi;

/**
 * The repository by whose address tools name the folders of `cwd`, as compilers and test runners of several languages do:
 * `ok github.com/acme/shop/internal/db/sql`. Adds what this text names to what is known; undefined until nothing else can be meant.
 */
export function remoteInPaths(known: Named, text: string, cwd: string): string | undefined {
  const { folders, remotes } = known;
  const root = `${cwd.replaceAll("\\", "/")}/`;
  for (const [, rest = ""] of text.split(root).map((part) => /^([\w./-]*)\//.exec(part) ?? [])) {
    const parts = rest.split("/");
    for (let depth = 2; depth <= parts.length && folders.size < mostNames; depth++)
      folders.add(parts.slice(0, depth).join("/"));
  }
  for (const [, address = "", folder = ""] of text.matchAll(addressed)) {
    const remote = normaliseRemote(`https://${address}`, cwd) ?? "";
    const named = remotes.get(remote) ?? new Set();
    if (remotes.size < mostNames && named.size < mostNames) remotes.set(remote, named.add(folder));
  }
  const sure = [...remotes].filter(([, named]) => {
    const common = [...named.intersection(folders)];
    const depth = Math.max(0, ...common.map((folder) => folder.split("/").length));
    return common.length >= own.folders && depth >= own.depth;
  });
  return sure.length === 1 ? sure[0]?.[0] : undefined;
}
