// An import of a name that an entry does not have: which one has it. Names moved when the contract and its rooms were parted.
import { entryWith } from "./entries.ts";
import { type EntryName, entryNames } from "./entry-names.ts";
import type { Packed } from "./packed.ts";

/** What to do about an engine's message that a module has no such export; undefined for any other message. */
export function missingName(message: string): string | undefined {
  const said = bun.exec(message)?.groups ?? v8.exec(message)?.groups;
  const [, asked] = /(?:^|\/)memoir\/(\w+)(?:\.js)?$/.exec(said?.from ?? "") ?? [];
  if (asked === undefined || said?.name === undefined) return undefined;
  return wayTo(said.name, asked, entryWith(said.name));
}

/** The same for a message of the type checker; `types` are the declarations of each entry. */
export function missingType(message: string, types: Packed["types"]): string | undefined {
  const { name, asked } = typescript.exec(message)?.groups ?? {};
  if (name === undefined || asked === undefined) return undefined;
  const declared = new RegExp(`^export (?:declare )?[a-z]+ ${name.replaceAll("$", "\\$")}\\b`, "m");
  const entry = entryNames.find((one) => declared.test(types[one]));
  return wayTo(name, asked, entry);
}

function wayTo(name: string, asked: string, entry: EntryName | undefined): string {
  return entry === undefined
    ? `\`memoir/${asked}\` has no \`${name}\`, nor has another entry; \`memoir plugin docs --list\` shows what there is.`
    : `Import \`${name}\` from \`memoir/${entry}\`, which has it, not from \`memoir/${asked}\`.`;
}

const bun = /Export named '(?<name>[\w$]+)' not found in module '(?<from>[^']+)'/;
const v8 = /requested module '(?<from>[^']+)' does not provide an export named '(?<name>[\w$]+)'/;
const typescript =
  /Module '"memoir\/(?<asked>\w+)"' has no exported member(?: named)? '(?<name>[\w$]+)'/;
