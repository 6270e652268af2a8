// The rules about places, in one list.
import { addressRules } from "./addresses.ts";
import { callRules } from "./calls.ts";
import { codeRules } from "./codes.ts";
import { commandRules } from "./commands.ts";
import { fileRules } from "./files.ts";
import { headerRules } from "./headers.ts";
import { languageRules } from "./languages.ts";
import { markRules } from "./marks.ts";
import type { PlaceRule } from "./place.ts";

/** Every place that memoir knows: of rules that find the same the first names it. */
export const placeRules: readonly PlaceRule[] = [
  ...headerRules,
  ...addressRules,
  ...commandRules,
  ...fileRules,
  ...callRules,
  ...markRules,
  ...languageRules,
  ...codeRules,
];
