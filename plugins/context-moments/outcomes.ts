// What became of what was told: looked up, acted on, or neither; and which kind falls silent in a project for a while. Pure.
import * as v from "valibot";
import { commandKey } from "../../src/text/index.ts";

/** What may be told. */
const momentKinds = ["failure", "file"] as const;
/** A kind of what may be told. */
export type MomentKind = (typeof momentKinds)[number];

const ToldSchema = v.object({
  kind: v.picklist(momentKinds),
  project: v.string(),
  session: v.string(),
  /** Epoch ms. */
  time: v.number(),
  /** Ids of the records that were named. */
  ids: v.array(v.string()),
  /** Commands whose passing, and files whose change, shows that it was acted on. */
  commands: v.array(v.string()),
  files: v.array(v.string()),
  lookedUp: v.boolean(),
  actedOn: v.boolean(),
});
/** Something that was told. */
export type Told = v.InferOutput<typeof ToldSchema>;
/** As it is kept between runs. */
export const KeptToldSchema = v.array(ToldSchema);

/** A tool use as it counts here. */
interface Used {
  session: string;
  /** It passed: a command line as it was written, or a file that was changed. */
  command?: string;
  file?: string;
  /** What memoir was asked for. */
  asked?: string;
}

/** What was told and became of it. */
export interface Outcomes {
  add(told: Told): void;
  /** The kinds for which this is the first sign of use. */
  used(use: Used): Array<{ kind: MomentKind; how: "lookedUp" | "actedOn" }>;
  isSilent(project: string, kind: MomentKind, now: number): boolean;
  /** What named one of these records goes; whether there was any. */
  forget(ids: readonly string[]): boolean;
  all(): readonly Told[];
}

/** Of so many in a project, so many have to be of use; else the kind is silent for so long. */
const looked = 30;
const leastUsed = 3;
const silentMs = 7 * 24 * 60 * 60_000;
const kept = 1_000;

/** Goes on from what was kept. */
export function createOutcomes(before: readonly Told[] = []): Outcomes {
  let told: Told[] = before.map((one) => ({ ...one }));
  return {
    add(one) {
      told = [...told, one].slice(-kept);
    },
    used({ session, command, file, asked }) {
      const own = told.filter((one) => one.session === session);
      return own.flatMap((one) => {
        const asks = asked !== undefined && one.ids.some((id) => names(asked, id));
        const acts =
          (command !== undefined && one.commands.includes(commandKey(command))) ||
          (file !== undefined && one.files.includes(file));
        const signs: Array<{ kind: MomentKind; how: "lookedUp" | "actedOn" }> = [];
        if (asks && !one.lookedUp) signs.push({ kind: one.kind, how: "lookedUp" });
        if (acts && !one.actedOn) signs.push({ kind: one.kind, how: "actedOn" });
        one.lookedUp ||= asks;
        one.actedOn ||= acts;
        return signs;
      });
    },
    isSilent(project, kind, now) {
      const last = told
        .filter((one) => one.project === project && one.kind === kind)
        .slice(-looked);
      if (last.length < looked || now - (last.at(-1)?.time ?? 0) > silentMs) return false;
      return last.filter(({ lookedUp, actedOn }) => lookedUp || actedOn).length < leastUsed;
    },
    forget(ids) {
      const gone = new Set(ids);
      const kept = told.filter((one) => !one.ids.some((id) => gone.has(id)));
      const isLess = kept.length < told.length;
      told = kept;
      return isLess;
    },
    all: () => told,
  };
}

function names(text: string, id: string): boolean {
  return text.split(/[^\p{L}\p{N}]+/u).includes(id);
}
