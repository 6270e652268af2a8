// A hub that is a PostgreSQL database, 15 or newer: for a team, or for one person's machines. It holds what it cannot read.

import * as v from "valibot";
import { definePlugin } from "../../src/sdk/index.ts";
import type { Database } from "./database.ts";

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
type Lazy = () => Promise<Database>;

export default definePlugin<v.InferOutput<typeof ConfigSchema>, { open: Lazy; used(): boolean }>({
  name: "hub-postgres",
  description: "Shares memory through a PostgreSQL database, sealed.",
  sdk: 1,
  slot: "hub",
  config: ConfigSchema,
  start(ctx) {
    let opened: Promise<Database> | undefined;
    return {
      used: () => opened !== undefined,
      open: () => {
        opened ??= import("./database.ts").then(({ openDatabase }) => openDatabase(ctx));
        return opened;
      },
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
  stop: async (state) => {
    if (state?.used()) await (await state.open()).close();
  },
});
