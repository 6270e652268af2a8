// The plans of a project, derived of its turns: what was proposed, accepted, changed or dropped, and which turns carry it out. Pure: in any order the same.
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import { headingOf, overlap } from "../text/prose/plain.ts";

/** A plan across turns and sessions. `T` is the caller's own kind of turn. */
export interface Plan<T extends PlanTurn = NewTurn> {
  /** Its heading. */
  title: string;
  /** As it was proposed or accepted last. */
  text: string;
  /**
   * - `proposed`: shown to the user, who has not said yes;
   * - `accepted`: the user said yes, here or by beginning a fresh session with it;
   * - `dropped`: turned down or left, and work went on without it.
   */
  state: "proposed" | "accepted" | "dropped";
  /** It was accepted in another form than it was proposed in first. */
  changed: boolean;
  /** Turns that proposed it, the first one first. */
  proposed: T[];
  /** The turn in which it was accepted last. */
  accepted?: T;
  /** Turns that changed files or committed under it, the first one first. */
  carriedOut: T[];
  /** Epoch ms of the last of all these. */
  lastTouched: number;
}

/** What is read of a turn. */
export type PlanTurn = Pick<
  NewTurn,
  "session" | "project" | "promptNumber" | "startedAt" | "time" | "pieces" | "files"
>;

/** What became of a plan in a turn. */
interface Step {
  what: "proposed" | "refused" | "accepted";
  text: string;
}

interface Draft<T extends PlanTurn> extends Plan<T> {
  /** The text that was proposed first. */
  first: string;
}

/** Plans of all projects among the turns, that touched last first. */
export function plansOf<T extends PlanTurn>(turns: readonly T[]): Array<Plan<T>> {
  const plans: Array<Draft<T>> = [];
  /** The plan that a session has in hand. */
  const inHand = new Map<string, Draft<T>>();
  for (const turn of inOrder(turns)) {
    const steps = stepsOf(turn);
    for (const step of steps) {
      const current = inHand.get(turn.session);
      const same = plans.findLast((one) => isSame(one, step, turn, current));
      if (current && current !== same && current.state === "proposed") current.state = "dropped";
      const plan = same ?? begin(plans, step, turn);
      take(plan, step, turn);
      inHand.set(turn.session, plan);
    }
    work(inHand.get(turn.session), turn, steps.length > 0);
  }
  return plans
    .map(({ first: _, ...plan }): Plan<T> => plan)
    .sort((one, other) => other.lastTouched - one.lastTouched || byTitle(one, other));
}

function byTitle(one: Pick<Plan, "title">, other: Pick<Plan, "title">): number {
  return one.title < other.title ? -1 : Number(one.title > other.title);
}

/** By time; turns that began at once, by their session and number. A turn that is there twice counts once, as it is newest. */
function inOrder<T extends PlanTurn>(turns: readonly T[]): T[] {
  const newest = new Map<string, T>();
  for (const turn of turns) {
    const key = `${turn.session} ${turn.promptNumber}`;
    const known = newest.get(key);
    if (!known || known.time < turn.time) newest.set(key, turn);
  }
  return [...newest.values()].sort(
    (one, other) =>
      one.startedAt - other.startedAt ||
      (one.session < other.session ? -1 : Number(one.session > other.session)) ||
      one.promptNumber - other.promptNumber,
  );
}

/** The tool by which a plan is proposed, as evidence names it. */
const proposing = /^ExitPlanMode(?:: (?=\S)|$)/;

/** What a turn says of plans, in its order. */
function stepsOf({ pieces }: PlanTurn): Step[] {
  return pieces.flatMap((piece): Step[] => {
    const text = planText(piece);
    if (text === undefined || headingOf(text) === "") return [];
    if (piece.kind === "plan") return [{ what: "accepted", text }];
    return [{ what: piece.kind === "refusal" ? "refused" : "proposed", text }];
  });
}

/** The plan that a piece holds; undefined where it holds none. */
function planText({ kind, text, about = "" }: Evidence): string | undefined {
  if (kind === "plan") return text;
  if (!proposing.test(about)) return undefined;
  return kind === "refusal" ? about.replace(proposing, "") : text;
}

/** So much of the words of the smaller one both have: a plan that was gone over, or handed to another session. */
const goneOver = 0.5;

/** A heading such as "Fix the tests" comes back with another plan below it. */
function isSame<T extends PlanTurn>(
  plan: Draft<T>,
  { text }: Step,
  turn: T,
  current: Draft<T> | undefined,
): boolean {
  if (last(plan)?.project !== turn.project) return false;
  const isNear = plan.title === headingOf(text) || (plan === current && plan.state === "proposed");
  return plan.text === text || (isNear && overlap(plan.text, text) >= goneOver);
}

function last<T extends PlanTurn>({ proposed, accepted, carriedOut }: Plan<T>): T | undefined {
  return carriedOut.at(-1) ?? accepted ?? proposed.at(-1);
}

function begin<T extends PlanTurn>(plans: Array<Draft<T>>, { text }: Step, turn: T): Draft<T> {
  const plan: Draft<T> = {
    title: headingOf(text),
    text,
    first: text,
    state: "proposed",
    changed: false,
    proposed: [],
    carriedOut: [],
    lastTouched: turn.time,
  };
  plans.push(plan);
  return plan;
}

function take<T extends PlanTurn>(plan: Draft<T>, { what, text }: Step, turn: T): void {
  plan.text = text;
  plan.title = headingOf(text);
  plan.lastTouched = turn.time;
  if (what === "accepted") {
    plan.state = "accepted";
    plan.accepted = turn;
    plan.changed ||= plan.first.trim() !== text.trim();
  } else {
    plan.state = "proposed";
    if (plan.proposed.at(-1) !== turn) plan.proposed.push(turn);
  }
}

/** A turn that did something: under an accepted plan it carries it out; one that was only proposed it leaves. */
function work<T extends PlanTurn>(plan: Draft<T> | undefined, turn: T, speaks: boolean): void {
  const worked =
    turn.files.some(({ changed }) => changed) || turn.pieces.some(({ kind }) => kind === "commit");
  if (!plan || !worked) return;
  if (plan.state === "accepted") {
    plan.carriedOut.push(turn);
    plan.lastTouched = Math.max(plan.lastTouched, turn.time);
  } else if (!speaks) plan.state = "dropped";
}
