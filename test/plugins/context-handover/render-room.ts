// Notes as they are rendered from little material, for the tests of what they say.
import { renderHandover } from "../../../plugins/context-handover/index.ts";
import type { Material } from "../../../plugins/context-handover/material.ts";
import type { Clock } from "../../../src/text/text.ts";
import { sampleMemory } from "../../support/sample-records.ts";

const utc: Clock = {
  day: (time) => new Date(time).toISOString().slice(0, 10),
  time: (time) => new Date(time).toISOString().slice(11, 16),
};
/** The project of the notes. */
export const project = { id: "github.com/acme/shop", name: "shop" };
const empty: Material = {
  project,
  turns: [],
  own: [],
  pinned: [],
  laidDownItems: [],
  practice: [],
  observations: [],
  summaries: [],
};
/** A note of this material and nothing else. */
export const render = (
  material: Partial<Material>,
  maxCharacters = 6_000,
  source = "startup",
  worthOf: (id: string) => number = () => 1,
) =>
  renderHandover(
    { ...empty, ...material },
    { maxCharacters, clock: utc, command: "memoir", source, worthOf },
  );
/** The text of a note about these turns. */
export const told = (...turns: Material["turns"]) => render({ turns })?.context ?? "";

/** A decision of the user's. */
export function item(id: string, part: Partial<Material["laidDownItems"][number]>) {
  return { ...sampleMemory({ kind: "decisions", state: "standing", ...part }), id };
}
