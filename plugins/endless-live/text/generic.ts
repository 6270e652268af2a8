// Shortens the output of a program that nothing is known of: head, tail, and every line that tells of trouble.
import { shortenLog } from "./log.ts";
import type { Shorten } from "./shortened.ts";

export const shortenGeneric: Shorten = (text, policy) =>
  text.length <= policy.genericOver
    ? undefined
    : shortenLog(text, policy, { how: "kept head, tail and trouble" });
