// All made-up users. Five, by the hash of their names, are set aside: only reported, never looked at.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readLines } from "../cases.ts";
import { type Person, readPerson } from "./script.ts";

/** Everybody. */
export const people: readonly Person[] = readdirSync(join(import.meta.dirname, "cases"))
  .sort()
  .map((file) => readPerson(readLines(`people/cases/${file}`)));

const setAside = 5;
const hash = (name: string) => createHash("sha256").update(name).digest("hex");
const aside = new Set(
  people
    .map(({ name }) => name)
    .sort((one, other) => hash(one).localeCompare(hash(other)))
    .slice(0, setAside),
);

/** True for the five that are set aside. */
export function isAsidePerson({ name }: Person): boolean {
  return aside.has(name);
}
