// Who made something, where that was another person or machine: a chip that leads to all they made.
import type { Author } from "../../sdk/change.ts";
import { Said } from "./said.tsx";

/** What lists are narrowed by: of one's own the other machine, else the person. */
export const makerName = ({ person, machine, own }: Author): string =>
  (own ? machine : person) ?? machine ?? "";

/** Nothing for what was made here. */
export function Maker({ from, to }: { from: Author | undefined; to(name: string): string }) {
  if (!from) return null;
  const { person = "another member", machine, own } = from;
  const words = own ? "you" : person;
  return (
    <>
      {" "}
      <a class="word" href={to(makerName(from))} title="All of theirs">
        <Said inline text={machine === undefined ? words : `${words} on ${machine}`} />
      </a>
    </>
  );
}
