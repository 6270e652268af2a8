// Where a path that is not there is instead, by the files that earlier sessions read and changed. Pure.
//
// turns → their files by name, and the paths that they missed → asked by the path of a failure. What an earlier session missed is
// looked up when it is asked for: a file that was found later answers as well, and the order of turns makes no difference.
import type { Turn } from "../../src/sdk/index.ts";
import { baseName, dropOldest, isAbsolutePath } from "../../src/text/index.ts";

/** What an earlier session worked with, instead of what is missing. */
export interface Instead {
  /** The same for all that is missed in a folder which is not there. */
  fingerprint: string;
  /** The path that is not there, a folder with a slash at its end. */
  missing: string;
  /** The file instead. */
  path: string;
  /** The turn that says it, its session and time. */
  turn: string;
  session: string;
  time: number;
}

/** Asked by what failed. */
export interface MissingIndex {
  find(failed: { session: string; about: string; text: string }): Instead | undefined;
}

/** What a file is known by: the last turn that read or changed it. */
interface Seen {
  path: string;
  turn: Turn;
  sessions: Set<string>;
}

/** A path that a turn missed. */
interface Missed {
  path: string;
  turn: Turn;
}

/** What an index holds at most, newest last. */
const mostFiles = 10_000;
const mostMissed = 500;

/** `File does not exist.`, `Path does not exist: src`: how the file tools of clients say it, in a tag or without. */
const clientSays = /^(?:<\w+>)?(?:File|Path) does not exist\b/;
/** `ls: src/x: No such file or directory`, `cd:1: no such file or directory: src/x`: how programs say it. */
const programSays =
  /no such file or directory: (?<after>\S+)|(?:^|\s)(?<before>[^\s:]+):(?: open:)? no such file or directory/im;

/** The path that a tool or a command missed, where the failure says no more than that; undefined for any other failure. */
export function missedPath(about: string, text: string): string | undefined {
  const [tool = "", ...rest] = about.split(" ");
  const said = text.trim();
  const isTool = /^\w+$/.test(tool) && clientSays.test(said);
  const { after, before } = programSays.exec(said)?.groups ?? {};
  const path = isTool ? rest.join(" ") : (after ?? before)?.replace(/^['"]|['"]$/g, "");
  // What a test prints of its own files is not what the command was to find.
  if (!path || !(isTool || about.split(/[\s'"]+/).includes(path))) return undefined;
  const plain = path.replace(/^\.\//, "").replace(/\/+$/, "");
  return plain === "" || isAbsolutePath(plain) || plain.startsWith("..") ? undefined : plain;
}

/** Takes the turns of one project one by one. */
export function followMissing(): { add(turn: Turn): void; index(): MissingIndex } {
  const files = new Map<string, Seen>();
  const missed: Missed[] = [];
  return {
    add(turn) {
      for (const { path } of turn.files) {
        if (isAbsolutePath(path)) continue;
        const known = files.get(path);
        const sessions = (known?.sessions ?? new Set()).add(turn.session);
        const last = known && known.turn.time > turn.time ? known.turn : turn;
        files.delete(path);
        files.set(path, { path, turn: last, sessions });
      }
      dropOldest(files, mostFiles);
      for (const { kind, about = "", text } of turn.pieces) {
        const path = kind === "failure" ? missedPath(about, text) : undefined;
        if (path !== undefined) missed.push({ path, turn });
      }
      missed.splice(0, missed.length - mostMissed);
    },
    index: () =>
      indexOf(
        [...files.values()],
        missed.toSorted((one, other) => one.turn.time - other.turn.time),
      ),
  };
}

function indexOf(files: readonly Seen[], missed: readonly Missed[]): MissingIndex {
  const byName = Map.groupBy(files, ({ path }) => baseName(path));
  const byFolder = Map.groupBy(files, ({ path }) => folderOf(path));

  /** No file was seen in it, or it was missed itself since. */
  function isGone(folder: string): boolean {
    if (folder === "") return false;
    const inside = files.filter(({ path }) => path.startsWith(`${folder}/`));
    const last = Math.max(0, ...inside.map(({ turn }) => turn.time));
    return last === 0 || missed.some(({ path, turn }) => path === folder && turn.time > last);
  }

  /** The one file of that name in another folder. */
  function elsewhere(path: string): Seen | undefined {
    const folder = folderOf(path);
    const same = byName.get(baseName(path))?.filter((one) => folderOf(one.path) !== folder);
    return same?.length === 1 ? same[0] : undefined;
  }

  /** The one file that it can be: of its name where its folder is not there, of its stem in a folder that is. */
  function fileFor(path: string): Seen | undefined {
    const folder = folderOf(path);
    if (isGone(folder)) return elsewhere(path);
    const same = byFolder.get(folder)?.filter((one) => stemOf(one.path) === stemOf(path));
    return same?.length === 1 ? same[0] : undefined;
  }

  /** The file that another session looked for in this folder as well. */
  function soughtIn(folder: string, session: string): Seen | undefined {
    const others = missed.filter(
      ({ path, turn }) => turn.session !== session && folderOf(path) === folder,
    );
    const found = others.map(({ path }) => elsewhere(path));
    return found.findLast((file) => file !== undefined);
  }

  /** What a command names from another folder than the root: it begins in none that stands there, or is the end of what does. */
  function isBelowElsewhere(path: string): boolean {
    const top = path.split("/", 1)[0];
    return (
      !files.some((one) => one.path.split("/", 1)[0] === top) ||
      files.some((one) => `/${one.path}/`.includes(`/${path}/`))
    );
  }

  return {
    find({ session, about, text }) {
      const path = missedPath(about, text);
      // What was there once is on another branch.
      if (path === undefined || files.some((one) => one.path === path)) return undefined;
      if (!clientSays.test(text.trim()) && isBelowElsewhere(path)) return undefined;
      const folder = isGone(folderOf(path)) ? folderOf(path) : path;
      const own = fileFor(path);
      const file = own ?? soughtIn(folder, session);
      if (!file || file.sessions.has(session)) return undefined;
      if (text.replaceAll(path, "").includes(baseName(file.path))) return undefined;
      const { id: turn, time } = file.turn;
      return {
        fingerprint: `missing ${folder}`,
        missing: own ? path : `${folder}/`,
        ...{ path: file.path, turn, session: file.turn.session, time },
      };
    },
  };
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** `.golangci` of `.golangci.yml`. */
function stemOf(path: string): string {
  return baseName(path).replace(/(?<=.)\.\w+$/, "");
}
