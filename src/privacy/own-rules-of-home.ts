// The user's own rules of redaction where no server read the config: on the way to the spool.
import { join } from "node:path";
import * as v from "valibot";
import { readFileText } from "../home/read-file.ts";
import { useOwnRedaction } from "./redact.ts";

const Schema = v.looseObject({
  privacy: v.optional(
    v.looseObject({
      redact: v.optional(
        v.looseObject({
          rules: v.optional(v.record(v.string(), v.string()), {}),
          allow: v.optional(v.array(v.string()), []),
        }),
      ),
    }),
  ),
});

/** Puts in force what `config.json` of this home says. Rejects where that cannot be known: then no text may be kept. */
export async function useRedactionOfHome(home: string): Promise<void> {
  const text = await readFileText(join(home, "config.json")).catch((error) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}";
    throw error;
  });
  // Most have no rules of their own, and need no parser.
  if (!text.includes('"redact"')) return;
  const { privacy } = v.parse(Schema, JSON.parse(text.replace(/^\uFEFF/, "")));
  const refused = await useOwnRedaction(privacy?.redact ?? { rules: {}, allow: [] });
  if (refused.length > 0) throw new Error("a rule of redaction cannot be used");
}
