// What people write where a secret would stand (rules/placeholders.txt), joined into one expression.

import { rowsOf } from "../../text/tables.ts";
import placeholderTable from "../rules/placeholders.txt" with { type: "text" };

const [[, ...forms] = [], [, ...lines] = []] = rowsOf(placeholderTable);

/** The forms, each an expression of the whole value, and the words that stand there alone. */
export const placeholderForms: readonly string[] = forms;
export const placeholderWords: readonly string[] = lines.join(" ").split(" ");

/** An expression for a whole value in one of these forms, in any case; a sign of the sentence may follow. */
export const inForms = (some: readonly string[]): RegExp =>
  new RegExp(`^(?:${some.join("|")})[.,;]?$`, "i");

/** Matches a value that is a placeholder by its form. */
export const placeholder = inForms([...placeholderForms, ...placeholderWords]);
