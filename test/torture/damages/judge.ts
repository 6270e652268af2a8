// Harms a copy of a filled home, starts it twice, and says what is wrong with what came of it, held against the intact twin.
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { type Audit, audit } from "./audit.ts";
import { bytesOf, filesOf } from "./damage.ts";
import { type FilledHome, fillHome } from "./filled-home.ts";
import { left, type Places, placesOf } from "./physical.ts";

/** An intact home and what stands where in it. */
export interface Twin {
  name: "killed" | "stopped";
  home: string;
  files: string[];
  bytes: Map<string, Buffer>;
  places: Places;
}

/** What came of a harmed home. */
export interface Verdict {
  /** Texts that are told no more. */
  lost: string[];
  /** How many texts have no whole place left. */
  gone: number;
  /** A harmed file is named to the person. */
  named: boolean;
  /** What must not be, in words. */
  faults: string[];
}

/** Homes to be harmed. */
export interface Twins {
  folder: string;
  killed: Twin;
  stopped: Twin;
  /** All that was said in them. */
  texts: string[];
  /** Ids of Endless Mode's originals. */
  kept: string[];
  close(): Promise<void>;
}

/** Fills them, below the system's folder for such things. */
export async function openTwins(): Promise<Twins> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-damages-"));
  const filled = await fillHome(folder);
  const texts = textsOf(filled);
  const twin = async (name: Twin["name"]): Promise<Twin> => {
    const home = filled[name];
    const bytes = await bytesOf(home);
    const places = await placesOf(texts, bytes, folder);
    return { name, home, files: await filesOf(home), bytes, places };
  };
  return {
    ...{ folder, texts, kept: [...filled.kept.keys()] },
    killed: await twin("killed"),
    stopped: await twin("stopped"),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function textsOf({ said, kept }: FilledHome): string[] {
  const originals = [...kept.values()].map((text) => text.slice(0, 30));
  return [
    ...said.flatMap(({ prompt, closing = prompt }) => [prompt, closing]),
    ...originals,
  ].filter((text, at, all) => all.indexOf(text) === at);
}

/** What is done to the copy: `harm` answers the files it harmed; `before` runs between harm and the first start. */
export interface Harm {
  harm(home: string): Promise<string[]>;
  before?(home: string): Promise<void>;
  /** Nothing is left that knows of what was lost. */
  isUnknowable?: boolean;
  /** The file may be whole where nobody can read it: then it is enough that it is named, be it by refusing to start. */
  isOutOfReach?: boolean;
}

/** Harms a copy of the twin and judges what comes of it; the copy is taken away. */
export async function judge(twins: Twins, twin: Twin, name: string, how: Harm): Promise<Verdict> {
  const home = join(twins.folder, name);
  const harmed: string[] = [];
  const named = (words: string) => harmed.some((name) => words.includes(name));
  const verdict: Verdict = { lost: [], gone: 0, named: false, faults: [] };
  try {
    await mkdir(home, { mode: 0o700 });
    await cp(twin.home, home, { recursive: true });
    for (const file of await how.harm(home)) harmed.push(basename(file).replace(/-(wal|shm)$/, ""));
    const there = left(twin.places, twin.bytes, await bytesOf(home));
    verdict.gone = twins.texts.length - there.size;
    await how.before?.(home);
    const first = await audit(home, twins.kept, 9_000);
    verdict.lost = twins.texts.filter((text) => !first.remembered.includes(text));
    verdict.named = named(first.told) || how.isUnknowable === true;
    if (how.isOutOfReach && verdict.named) return verdict;
    verdict.faults.push(...faultsOf(first, verdict, there, twins));
    const second = await audit(home, twins.kept, 9_001);
    if (second.aside.length > first.aside.length)
      verdict.faults.push(`damaged again at the next start: ${second.aside.join(" ")}`);
    const lostNow = twins.texts.filter((text) => !second.remembered.includes(text));
    if (lostNow.length > verdict.lost.length)
      verdict.faults.push(`more was lost at the next start: ${lostNow.length}`);
  } catch (error) {
    verdict.named = error instanceof MemoirError && named(error.message);
    if (!how.isOutOfReach || !verdict.named) verdict.faults.push(String(error).slice(0, 300));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  return verdict;
}

function faultsOf(
  { aside, context, goesOn }: Audit,
  { lost, named }: Verdict,
  there: ReadonlySet<string>,
  { texts }: Twins,
): string[] {
  const needless = lost.filter((text) => there.has(text));
  const examples = needless.slice(0, 2).join(" | ");
  const faults: Array<[boolean, string]> = [
    [needless.length > 0, `lost though it is there: ${needless.length}, ${examples}`],
    [lost.length > 0 && !named, "lost, and not named"],
    [aside.length > 0 && !named, "set aside, and not named"],
    [context.length < 100 && lost.length < texts.length / 2, `a session is told only ${context}`],
    [!goesOn, "what came after is not remembered"],
  ];
  return faults.filter(([is]) => is).map(([, words]) => words);
}
