// What narrows a search: a chip each, coloured while it does.
import { observationTypes } from "../../sdk/model.ts";
import { get } from "../api.ts";
import { useAsked } from "../use-asked.ts";
import { asShown, kindNames } from "../words.ts";

const names = ["project", "kind", "type", "when", "file"] as const;
type Name = (typeof names)[number];
/** What is chosen; empty for everything. */
export type Chosen = Record<Name, string>;

/** What an address chooses. */
export function filtersOf(params: URLSearchParams): Chosen {
  return Object.fromEntries(names.map((name) => [name, params.get(name) ?? ""])) as Chosen;
}

const day = 24 * 60 * 60_000;
const times: Readonly<Record<string, { name: string; ms: number }>> = {
  "1d": { name: "Last 24 hours", ms: day },
  "7d": { name: "Last 7 days", ms: 7 * day },
  "30d": { name: "Last 30 days", ms: 30 * day },
  "365d": { name: "Last year", ms: 365 * day },
};

/** Epoch ms; undefined for a word that is no time. To the minute, so that the same question stays the same. */
export function sinceOf(when: string, now: number): number | undefined {
  const time = times[when];
  return time && Math.floor((now - time.ms) / 60_000) * 60_000;
}

interface FiltersProps {
  filters: Chosen;
  put(name: Name, value: string): void;
}

/** The chips. */
export function Filters({ filters, put }: FiltersProps) {
  const { answer } = useAsked("projects", (signal) => get("/api/status", {}, signal));
  const projects = answer && "projects" in answer.storage ? answer.storage.projects : [];
  const choices: Array<{ name: Name; any: string; options: Array<[string, string]> }> = [
    {
      name: "project",
      any: "Any project",
      options: projects.map(({ id, name }) => [id, name]),
    },
    { name: "kind", any: "Anything", options: Object.entries(kindNames) },
    { name: "type", any: "Any type", options: observationTypes.map((type) => [type, type]) },
    {
      name: "when",
      any: "Any time",
      options: Object.entries(times).map(([key, { name }]) => [key, name]),
    },
  ];
  const isAny = names.every((name) => filters[name] === "");
  return (
    <div class="chips">
      {choices.map(({ name, any, options }) => (
        <select
          key={name}
          aria-label={name === "when" ? "Time" : name}
          class={filters[name] === "" ? "chip" : "chip on"}
          value={filters[name]}
          onChange={(event) => put(name, event.currentTarget.value)}
        >
          <option value="">{any}</option>
          {withChosen(options, filters[name]).map(([value, text]) => (
            <option key={value} value={value}>
              {asShown(text)}
            </option>
          ))}
        </select>
      ))}
      <input
        type="text"
        aria-label="File"
        placeholder="Any file"
        class={filters.file === "" ? "chip" : "chip on"}
        value={filters.file}
        onChange={(event) => put("file", event.currentTarget.value.trim())}
      />
      {!isAny && (
        <a class="chip" href="/search">
          Clear
        </a>
      )}
    </div>
  );
}

/** A bookmark may choose what no list has any more. */
function withChosen(options: Array<[string, string]>, chosen: string): Array<[string, string]> {
  const isListed = chosen === "" || options.some(([value]) => value === chosen);
  return isListed ? options : [...options, [chosen, chosen]];
}
