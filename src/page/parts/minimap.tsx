// A long session at a glance: a stripe for each stretch of it, red where something failed, green where it was fixed. A click goes there.
import { useMemo } from "preact/hooks";
import type { Turn } from "../../sdk/turn.ts";
import { go } from "../address.ts";

/** A shorter session is seen as it is. */
const fewest = 6;
/** More stripes nobody tells apart. */
const mostStripes = 160;

/** Nothing for a short session. Who uses the keyboard has the heading of each prompt. */
export function Minimap({ turns }: { turns: readonly Turn[] }) {
  const stripes = useMemo(() => stripesOf(turns), [turns]);
  if (turns.length < fewest) return null;
  return (
    <svg
      class="drawn minimap"
      viewBox={`0 0 10 ${stripes.length}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onClick={(event) => {
        const { top, height } = event.currentTarget.getBoundingClientRect();
        const at = Math.floor(((event.clientY - top) / height) * stripes.length);
        const number = stripes[at]?.number;
        if (number !== undefined) toPrompt(number, turns);
      }}
    >
      {stripes.map(({ tone }, at) => (
        <rect key={at} class={tone} x="0" width="10" y={at} height="0.86" />
      ))}
    </svg>
  );
}

function stripesOf(turns: readonly Turn[]): Array<{ number: number; tone: string }> {
  const each = Math.ceil(turns.length / mostStripes);
  return Array.from({ length: Math.ceil(turns.length / each) }, (_, at) => {
    const some = turns.slice(at * each, (at + 1) * each);
    const has = (kind: string) =>
      some.some(({ pieces }) => pieces.some((one) => one.kind === kind));
    const tone = has("repair") ? "good" : has("failure") ? "bad" : has("commit") ? "dec" : "";
    return { number: some[0]?.promptNumber ?? 0, tone };
  });
}

/** What lies far away is not drawn yet: first to where it is about, then to itself. */
function toPrompt(number: number, turns: readonly Turn[]): void {
  const at = turns.findIndex(({ promptNumber }) => promptNumber === number);
  const steps = document.querySelector(".steps")?.getBoundingClientRect();
  if (steps && !document.getElementById(`prompt-${number}`))
    scrollTo(0, scrollY + steps.top + (steps.height * at) / turns.length);
  setTimeout(() => go(`${location.pathname}#prompt-${number}`, { replace: true }), 60);
  setTimeout(() => document.getElementById(`prompt-${number}`)?.scrollIntoView(), 120);
}
