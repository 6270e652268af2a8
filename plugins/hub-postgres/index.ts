// A hub that is a PostgreSQL database, 15 or newer: for a team, or for one person's machines. It holds what it cannot read.

import * as v from "valibot";
import { definePlugin } from "../../src/sdk/index.ts";
import type { Database, DatabaseInForce } from "./database.ts";

const ConfigSchema = v.strictObject({
  rootCertificate: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.description("File of the certificate authority that signed the server's certificate."),
    ),
  ),
  timeoutSeconds: v.optional(
    v.pipe(
      v.number(),
      v.minValue(1),
      v.maxValue(25),
      v.description("Seconds that one statement may take."),
    ),
    10,
  ),
});

/** The driver is loaded at the first call: a start does not wait for it, nor for the server. */
interface Lazy {
  open(): Promise<Database>;
  close(): Promise<void>;
}

export default definePlugin<v.InferOutput<typeof ConfigSchema>, Lazy>({
  name: "hub-postgres",
  description: "Shares memory through a PostgreSQL database, sealed.",
  sdk: 1,
  slot: "hub",
  config: ConfigSchema,
  start(ctx) {
    let loaded: Promise<DatabaseInForce> | undefined;
    return {
      open: async () => {
        loaded ??= import("./database.ts").then(({ databaseInForce }) => databaseInForce(ctx));
        return await (await loaded).open();
      },
      close: async () => (await loaded)?.close(),
    };
  },
  hooks: {
    "hub.push": async (batch, { state }) => (await state.open()).push(batch),
    "hub.pull": async (asked, { state }) => (await state.open()).pull(asked),
    "hub.write": async (file, { state }) => (await state.open()).write(file),
    "hub.files": async (asked, { state }) => (await state.open()).files(asked),
    "hub.remove": async (asked, { state }) => (await state.open()).remove(asked),
    "hub.wait": {
      deadlineMs: 60_000,
      handler: async (asked, ctx) => (await ctx.state.open()).wait(asked, ctx.signal),
    },
    "hub.health": async (asked, { state }) => (await state.open()).health(asked),
  },
  stop: (state) => state?.close(),
});
