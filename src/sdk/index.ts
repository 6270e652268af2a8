// The public SDK: everything a plugin may import. Built-in plugins import this and nothing else of memoir.
export * from "./context.ts";
export * from "./database.ts";
export * from "./errors.ts";
export * from "./events.ts";
export * from "./hooks.ts";
export * from "./marker.ts";
export * from "./model.ts";
export * from "./plugin.ts";
export * from "./private.ts";
export * from "./prose/index.ts";
export * from "./provider.ts";
export * from "./redact.ts";
export * from "./scrub.ts";
export * from "./storage.ts";
export * from "./text.ts";
export * from "./tokens.ts";
export * from "./work.ts";
