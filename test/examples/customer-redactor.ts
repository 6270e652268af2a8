// A redactor: customers' numbers never reach the disk, wherever they stand in an event.

import { mapEvent, mapTexts } from "memoir/privacy";
import { definePlugin } from "memoir/sdk";
import * as v from "valibot";

export default definePlugin({
  name: "customer-redactor",
  description: "Takes customers' numbers out of everything that is captured.",
  sdk: 1,
  slot: "capture",
  config: v.strictObject({
    /** A regular expression; each match becomes `[customer]`. */
    pattern: v.optional(
      v.pipe(
        v.string(),
        v.check((text) => isPattern(text), "must be a regular expression"),
      ),
      "\\bCUST-\\d{4,}\\b",
    ),
  }),
  start: (ctx) => new RegExp(ctx.config.pattern, "g"),
  hooks: {
    capture: (event, { state }) =>
      mapEvent(event, (value) => mapTexts(value, (text) => text.replace(state, "[customer]"))),
  },
});

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
