// What `memoir plugin new` writes: one working plugin with a test for each kind.
import type { Slot } from "../../sdk/plugin.ts";

/** A slot, or what fills none; `strategy` is a prompt strategy, for two slots. */
export type Kind = Slot | "listener" | "extractor" | "strategy";

/** Text of the plugin and of its test. */
type Template = () => Promise<[plugin: { default: string }, test: { default: string }]>;

/** Loaded on demand, as text. `__NAME__` stands for the plugin's name. */
export const templates: Readonly<Record<Kind, Template>> = {
  capture: () =>
    Promise.all([
      import("./templates/capture.ts.txt", { with: { type: "text" } }),
      import("./templates/capture.test.ts.txt", { with: { type: "text" } }),
    ]),
  observation: () =>
    Promise.all([
      import("./templates/observation.ts.txt", { with: { type: "text" } }),
      import("./templates/observation.test.ts.txt", { with: { type: "text" } }),
    ]),
  summarization: () =>
    Promise.all([
      import("./templates/summarization.ts.txt", { with: { type: "text" } }),
      import("./templates/summarization.test.ts.txt", { with: { type: "text" } }),
    ]),
  "context-injection": () =>
    Promise.all([
      import("./templates/context-injection.ts.txt", { with: { type: "text" } }),
      import("./templates/context-injection.test.ts.txt", { with: { type: "text" } }),
    ]),
  "endless-mode": () =>
    Promise.all([
      import("./templates/endless-mode.ts.txt", { with: { type: "text" } }),
      import("./templates/endless-mode.test.ts.txt", { with: { type: "text" } }),
    ]),
  storage: () =>
    Promise.all([
      import("./templates/storage.ts.txt", { with: { type: "text" } }),
      import("./templates/storage.test.ts.txt", { with: { type: "text" } }),
    ]),
  provider: () =>
    Promise.all([
      import("./templates/provider.ts.txt", { with: { type: "text" } }),
      import("./templates/provider.test.ts.txt", { with: { type: "text" } }),
    ]),
  listener: () =>
    Promise.all([
      import("./templates/listener.ts.txt", { with: { type: "text" } }),
      import("./templates/listener.test.ts.txt", { with: { type: "text" } }),
    ]),
  extractor: () =>
    Promise.all([
      import("./templates/extractor.ts.txt", { with: { type: "text" } }),
      import("./templates/extractor.test.ts.txt", { with: { type: "text" } }),
    ]),
  strategy: () =>
    Promise.all([
      import("./templates/strategy.ts.txt", { with: { type: "text" } }),
      import("./templates/strategy.test.ts.txt", { with: { type: "text" } }),
    ]),
};
