// `memoir upgrade`: another version from a release, signature and sums checked, the old binary kept, the server handed over.
//
// look (list, signature, newest seen) → fetch and check beside the binary → ask the new one its version and schemas
// → keep the present one as memoir-previous → rename into place → hand the server over. Until the rename the old one is in force.

import { lstat, rm, stat } from "node:fs/promises";
import process from "node:process";
import { errorMessage } from "../../home/describe-error.ts";
import { isBefore, isOlder, keepSeen, seenReleases } from "../../home/seen-releases.ts";
import {
  checkedAddress,
  fetchFile,
  fetchList,
  fetchListed,
  type ReleaseList,
  releaseFile,
  sumOf,
} from "../../install/fetch-release.ts";
import { readClientLedger } from "../../install/file-change.ts";
import { keepBinary, placeBinary } from "../../install/place-binary.ts";
import {
  ofVersion,
  type PublicKey,
  readPublicKey,
  releaseAddress,
  releaseKeys,
} from "../../install/release-source.ts";
import { readConfig, setConfigValue } from "../../runtime/config/config.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { schemasOf } from "../../stored/schemas.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";
import { stopServer } from "../server/start-stop.ts";
import { printable, size } from "../terminal/layout.ts";
import { drawnLine, inJson } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { runInstalled, saysOf, versionOf } from "./installed-binary.ts";
import { setupOf } from "./setup.ts";

type UpgradeOptions = OptionsOf<(typeof setupCommands)["upgrade"]>;

/** What an upgrade found or did. */
interface Outcome {
  state: "current" | "available" | "older" | "upgraded" | "back";
  /** The version that is in place. */
  version: string;
  /** What the release says its version and the day of its commit are; one that nobody signed may not say. */
  offered?: string;
  date?: string;
  /** The id of the key that signed it. */
  signedBy?: string;
  /** What changed, in Markdown. */
  notes?: string;
  /** Where the version of before is kept. */
  previous?: string;
  /** Why the server did not come up again. */
  problem?: string;
}

/** Where memoir is published, and the keys that sign it. */
interface Published {
  address: string;
  keys: readonly string[];
}

/** A script can tell by it that there is a newer version. */
const newerExit = 10;

/** Gives 0, with `check` 10 for a newer version. Throws `usage`, `binary_missing`, `upgrade_failed`; what was installed is untouched then. */
export async function upgrade(
  wanted: string | undefined,
  options: UpgradeOptions,
  terminal: Terminal,
  published: Published = { address: releaseAddress, keys: releaseKeys },
): Promise<number> {
  const { paths, binary } = setupOf(terminal);
  if (options.back && wanted !== undefined)
    throw new MemoirError("usage", "`--back` goes to the version that is kept, no other.");
  if (options.daily && !(await isTimeToLook(paths.home, terminal))) return 0;
  await assertOurs(binary);
  const outcome = await (options.back
    ? goBack(binary, terminal)
    : goOn(await sourceOf(wanted, options, terminal, published), options, terminal)
  ).catch((error: unknown) => {
    throw inWords(error, paths.bin);
  });
  const code = outcome.problem ? 1 : outcome.state === "available" ? newerExit : 0;
  if (inJson(outcome, options, terminal)) return code;
  for (const line of words(outcome)) terminal.print(line);
  if (outcome.previous === undefined) return code;
  // Whether the other version writes anything else into them, only that one could say.
  const names = new Set((await readClientLedger(paths.home)).map(({ client }) => client));
  if (names.size > 0)
    terminal.print(
      `\`memoir install ${[...names].join(" ")}\` brings what it wrote into other clients up to date.`,
    );
  return code;
}

function words({
  state,
  version,
  offered,
  date,
  signedBy,
  notes,
  previous,
  problem,
}: Outcome): string[] {
  const release = `memoir ${offered}${date ? ` of ${date}` : ""}`;
  const isOther = offered === undefined || !isOlder(version, offered);
  const install =
    signedBy === undefined
      ? "Nothing says yet who may sign it: set `upgrade.signedBy`, and `memoir upgrade` installs it."
      : "`memoir upgrade` installs it.";
  const back =
    previous && `\`${/^[\w./:\\-]+$/.test(previous) ? previous : `"${previous}"`} upgrade --back\``;
  const said = {
    current: [`memoir ${version} is what the release has.`],
    available: [
      isOther
        ? `The release has another build than memoir ${version}. ${install}`
        : `${release} is available; installed is ${version}. ${install}`,
      ...noteLines(notes),
    ],
    older: [`The release has ${release}, which is older than ${version}.`],
    upgraded: [
      `memoir ${version} is installed.`,
      `The version from before is kept. Should the new one not start, go back with ${back}.`,
    ],
    back: [`memoir ${version} is restored. The other one is kept: ${back} returns to it.`],
  }[state];
  return problem === undefined ? said : [...said, `The server did not start again: ${problem}`];
}

const mostNoteLines = 60;

function noteLines(notes: string | undefined): string[] {
  const lines = printable(notes ?? "")
    .trim()
    .split("\n");
  // A heading's marks say nothing to who reads a terminal.
  const plain = lines.slice(0, mostNoteLines).map((line) => line.replace(/^#{1,6} +/, ""));
  return notes ? ["", ...plain] : [];
}

/** What a package manager put there is its own to replace. */
async function assertOurs(binary: string): Promise<void> {
  const info = await lstat(binary).catch(() => undefined);
  if (!info)
    throw new MemoirError("binary_missing", `There is no installed memoir at ${binary}.`, {
      fix: "Run `memoir install` with the version that you have.",
    });
  if (info.isSymbolicLink())
    throw new MemoirError("upgrade_failed", `${binary} is a link: somebody else keeps memoir.`, {
      fix: "Upgrade with the package manager that installed it.",
    });
}

/** Where a release is fetched from, and who may have signed it. */
interface Source {
  /** What was asked for or configured. */
  address: string;
  /** The folder of the one release. */
  base: string;
  /** The version that it has to be. */
  version?: string | undefined;
  keys: readonly PublicKey[];
}

/** The address given, else config's, the environment's, memoir's own; a given one is remembered once it works. */
async function sourceOf(
  wanted: string | undefined,
  { from, unsigned, check }: UpgradeOptions,
  terminal: Terminal,
  published: Published,
): Promise<Source> {
  const { upgrade: known } = (await readConfig(setupOf(terminal).paths.home)).config;
  const named = from ?? known.from ?? terminal.env.MEMOIR_RELEASE_URL ?? published.address;
  if (named === "")
    throw new MemoirError(
      "usage",
      "No release was named, and this memoir has no address of its own yet.",
      {
        fix: "Say where releases are: `memoir upgrade --from <address>`; it is saved.",
      },
    );
  const address = checkedAddress(named);
  const version = wanted?.replace(/^v(?=\d)/, "");
  if (version !== undefined && !/^\d+\.\d+\.\d+[\w.+-]*$/.test(version))
    throw new MemoirError("usage", `"${version}" is no version.`, { fix: "One is like 0.2.0." });
  const texts = known.signedBy === undefined ? published.keys : [known.signedBy];
  const keys = texts.flatMap((text) => readPublicKey(text) ?? []);
  if (keys.length < texts.length)
    throw new MemoirError("config_invalid", "`upgrade.signedBy` is no public key of minisign's.");
  if (keys.length > 0 && unsigned)
    throw new MemoirError("usage", "A key is known here, so only signed releases are installed.", {
      fix: "Leave `--unsigned` away. For releases of your own, set `upgrade.signedBy` to the key that you sign them with.",
    });
  if (keys.length === 0 && !unsigned && !check)
    throw new MemoirError(
      "upgrade_failed",
      "This memoir knows no key that releases are signed with, so it cannot tell who made one.",
      {
        fix: "Set `upgrade.signedBy` to the publisher's minisign key. If the address is your own, `--unsigned` checks sums only.",
      },
    );
  return { address, base: version ? ofVersion(address, version) : address, version, keys };
}

/** Once a day at most, by config; what fails is not tried again before. */
async function isTimeToLook(home: string, { now }: Terminal): Promise<boolean> {
  const { upgrade: known } = (await readConfig(home)).config;
  const { lookedAt = 0 } = await seenReleases(home);
  if (!known.daily || Math.abs(now() - lookedAt) < 23 * 60 * 60_000) return false;
  await keepSeen(home, { lookedAt: now() });
  return true;
}

async function goOn(source: Source, options: UpgradeOptions, terminal: Terminal): Promise<Outcome> {
  const { paths, binary } = setupOf(terminal);
  const { base } = source;
  const name = await releaseFile(terminal.platform, process.arch);
  const list = await fetchList(base, source.keys);
  await assertFresh(list, source, options, paths.home);
  const { sums, version: offered } = list;
  const sum = sums.get(name);
  if (sum === undefined)
    throw new MemoirError("upgrade_failed", `${base} has no ${name}.`, {
      fix: `It has ${[...sums.keys()].filter((file) => /^memoir-(?!.*\.gz$)/.test(file)).join(", ")}.`,
    });
  // A config that cannot be written to does not undo what was done.
  const remember = async () => {
    if (options.from !== undefined)
      await setConfigValue(paths.home, "upgrade.from", source.address).catch((error: unknown) =>
        terminal.warn(`The address was not saved: ${errorMessage(error)}`),
      );
  };
  const version = await versionOf(binary, terminal);
  const present = await sumOf(binary);
  const isBackward = offered !== undefined && isOlder(offered, version);
  const { sums: _sums, version: _version, ...said } = list;
  const found: Outcome = {
    state: present === sum ? "current" : isBackward ? "older" : "available",
    version,
    ...(offered !== undefined && { offered }),
    ...said,
  };
  if (found.state === "available") {
    const notes = await fetchListed(base, sums, "NOTES.md").catch(() => undefined);
    if (notes !== undefined) found.notes = notes;
  }
  if (present === sum || options.check) {
    await remember();
    return found;
  }
  if (isBackward && !options.older)
    throw new MemoirError(
      "upgrade_failed",
      `${base} has memoir ${offered}, which is older than the installed ${version}.`,
      { fix: "Nothing was changed. If you do want the older one, add `--older`." },
    );
  if (!options.json)
    for (const line of [
      `memoir ${version} → ${offered ?? "another build"}${list.signedBy ? `, signed with the key ${list.signedBy}` : ""}`,
      ...noteLines(found.notes),
    ])
      terminal.print(line);
  // Named as `placeBinary` names its drafts, which it removes after a crash.
  const fetched = `${binary}.${crypto.randomUUID()}.tmp`;
  try {
    const line = drawnLine(terminal, options);
    const progress = (bytes: number, all: number) =>
      line.show(() => `fetched ${size(bytes)}${all > 0 ? ` of ${size(all)}` : ""}`);
    await fetchFile({ base, sums, name }, fetched, progress).finally(line.end);
    const replaced = await replace({ source: fetched, version: offered, present }, terminal);
    await remember();
    return { ...found, state: "upgraded", ...replaced };
  } finally {
    await rm(fetched, { force: true });
  }
}

/** Is it the version that was asked for, and not an old list that is served again? What was signed is kept in mind. */
async function assertFresh(
  { version, date, signedBy }: ReleaseList,
  source: Source,
  { older }: UpgradeOptions,
  home: string,
): Promise<void> {
  if (source.version !== undefined && version !== source.version)
    throw new MemoirError(
      "upgrade_failed",
      `${source.base} has memoir ${version ?? "of no version"}, not ${source.version}.`,
    );
  if (version === undefined || signedBy === undefined) return;
  const offered = { version, ...(date !== undefined && { date }) };
  const { newest } = await seenReleases(home);
  if (newest && isBefore(offered, newest) && !older) {
    if (source.version !== undefined) return;
    throw new MemoirError(
      "upgrade_failed",
      `${source.base} has memoir ${version} of ${date}, but memoir ${newest.version} of ${newest.date} was there before: an old list is served again.`,
      {
        fix: "Nothing was changed. If its publisher says that the newer one was withdrawn, add `--older`.",
      },
    );
  }
  await keepSeen(home, { newest: offered }).catch(() => undefined);
}

async function goBack(binary: string, terminal: Terminal): Promise<Outcome> {
  const source = previousOf(binary);
  if (!(await stat(source).catch(() => undefined)))
    throw new MemoirError("upgrade_failed", "No version of before is kept.", {
      fix: "Only `memoir upgrade` keeps one. An older release is fetched with `memoir upgrade <version> --older`.",
    });
  return { state: "back", ...(await replace({ source }, terminal)) };
}

/** What takes the installed one's place. */
interface Replacement {
  source: string;
  /** What it has to be, where that is known. */
  version?: string | undefined;
  /** The sum of what is installed, where it was looked at. */
  present?: string | undefined;
}

/** Puts a binary in place of the installed one, which is kept, and hands the server over. */
async function replace(
  { source, version, present }: Replacement,
  terminal: Terminal,
): Promise<Pick<Outcome, "version" | "previous" | "problem">> {
  const { paths, binary } = setupOf(terminal);
  const previous = previousOf(binary);
  const placed = await placeBinary(source, binary, async (copy) => {
    await assertFits(copy, version, terminal);
    if (present !== undefined && (await sumOf(binary)) !== present)
      throw new MemoirError("upgrade_failed", "Another upgrade replaced memoir meanwhile.");
    await keepBinary(binary, previous);
  });
  if (placed === "current")
    throw new MemoirError("upgrade_failed", "The version that is kept is the installed one.", {
      fix: "Nothing was changed; name the version that you want: `memoir upgrade <version> --older`.",
    });
  const wasRunning = await stopServer(paths);
  const problem = wasRunning
    ? await runInstalled(binary, ["start"], { ...terminal.env, MEMOIR_HOME: paths.home }).then(
        () => undefined,
        errorMessage,
      )
    : undefined;
  return {
    version: await versionOf(binary, terminal),
    previous,
    ...(problem !== undefined && { problem }),
  };
}

function previousOf(binary: string): string {
  return binary.replace(/(\.exe)?$/, "-previous$1");
}

/** Does it run here, is it the version that it is said to be, and does it read the databases that are there? */
async function assertFits(
  copy: string,
  version: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const said = await saysOf(copy, terminal).catch((cause: unknown) => {
    throw new MemoirError("upgrade_failed", "The release's file is no memoir that runs here.", {
      fix: "The installed version is unchanged; report this to whoever publishes the release.",
      cause,
    });
  });
  if (version !== undefined && said.version.split("+", 1)[0] !== version)
    throw new MemoirError(
      "upgrade_failed",
      `The release's file is memoir ${said.version}, not ${version}.`,
      {
        fix: "The installed version is unchanged; report this to whoever publishes the release.",
      },
    );
  const there = await schemasOf(setupOf(terminal).paths.home);
  for (const [name, schema] of Object.entries(there)) {
    const known = said.schemas?.[name] ?? schema;
    if (known < schema)
      throw new MemoirError(
        "upgrade_failed",
        `memoir ${said.version} cannot read ${name}: it has schema ${schema}, and that version knows up to ${known}.`,
        {
          fix: `Nothing was changed. docs/operating.md, "The version before", says how a backup from before goes with it.`,
        },
      );
  }
}

/** Why it failed, where the disk is the reason. */
function inWords(error: unknown, folder: string): unknown {
  const { code = "" } = error as { code?: string };
  const cause = { cause: error };
  if (/^(?:ENOSPC|EDQUOT|EFBIG)$/.test(code))
    return new MemoirError(
      "upgrade_failed",
      `There is no room in ${folder}: an upgrade takes 300 MB there while it works.`,
      {
        fix: "Nothing was changed. Make room on that disk, then run it again.",
        ...cause,
      },
    );
  if (/^(?:EACCES|EPERM|EROFS)$/.test(code))
    return new MemoirError("upgrade_failed", `${folder} cannot be written to (${code}).`, {
      fix: "Nothing was changed. Run it as the user whose memoir it is, never with sudo.",
      ...cause,
    });
  return error;
}
