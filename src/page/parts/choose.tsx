// A choice that stands in the address.
import { go } from "../address.ts";
import { withChoices } from "../projects.ts";

interface ChooseProps {
  address: URL;
  /** In the address. */
  name: string;
  label: string;
  /** Each value with its words; the empty one chooses nothing. */
  choices: ReadonlyArray<readonly [value: string, words: string]>;
}

/** The list to choose from. */
export function Choose({ address, name, label, choices }: ChooseProps) {
  const value = address.searchParams.get(name) ?? "";
  return (
    <select
      aria-label={label}
      class={value === "" ? "chip" : "chip on"}
      value={value}
      onChange={(event) => go(withChoices(address, { [name]: event.currentTarget.value }))}
    >
      {choices.map(([key, words]) => (
        <option key={key} value={key}>
          {words}
        </option>
      ))}
    </select>
  );
}

const dayMs = 24 * 60 * 60_000;
/** Times to choose from, until now. */
export const times: Readonly<Record<string, { name: string; ms: number }>> = {
  "1d": { name: "Last 24 hours", ms: dayMs },
  "7d": { name: "Last 7 days", ms: 7 * dayMs },
  "30d": { name: "Last 30 days", ms: 30 * dayMs },
  "365d": { name: "Last year", ms: 365 * dayMs },
};

/** When one of them began: to the minute, so that the same question stays the same. */
export function sinceOf(time: string): number | undefined {
  const ms = times[time]?.ms;
  return ms && Math.floor((Date.now() - ms) / 60_000) * 60_000;
}
