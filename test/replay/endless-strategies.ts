// The strategies that are measured: a blunt cap to compare with, and Endless Mode's own, one stacked on the other.
import * as v from "valibot";
import { ConfigSchema } from "../../plugins/endless-gateway/config.ts";
import { retirementPolicy } from "../../plugins/endless-gateway/retire.ts";
import {
  decide,
  isMemorable,
  isOwnCall,
  remember,
  threshold,
} from "../../plugins/endless-live/index.ts";
import type { Policy } from "../../plugins/endless-live/policy.ts";
import { createSeen } from "../../plugins/endless-live/seen.ts";
import { leastInput, wantsTool } from "../../src/strategy/clearing.ts";
import type { Strategy } from "./endless-replay.ts";
import { shapeOf } from "./endless-shape.ts";

const verbatim = new Set(["Read", "Edit", "MultiEdit"]);

/** Everything but reads and edits cut at so many characters. */
export function bluntCap(most: number): Strategy {
  return {
    name: `cap at ${most}`,
    reduce: () => ({
      result: ({ tool }, { text }) =>
        verbatim.has(tool) || text.length <= most
          ? undefined
          : { text: text.slice(0, most), how: "cut" },
    }),
  };
}

/** Whatever `live` looks at, reads too, cut at so many characters. */
export function evenCap(most: number, policy: Policy): Strategy {
  return {
    name: `cap at ${most}`,
    reduce: () => ({
      result: ({ tool }, { text }) =>
        text.length <= most || threshold(tool, policy) === undefined
          ? undefined
          : { text: text.slice(0, most), how: "cut" },
    }),
  };
}

/** The plugin `live`, as it answers a client's hooks. */
export function live(policy: Policy, name = "live"): Strategy {
  return {
    name,
    reduce: ({ session, agent }) => {
      const all = createSeen();
      /** What the agent said last, and in which of its messages. */
      let last = { text: "", request: -1 };
      return {
        result(use, result) {
          const { id, tool, input } = use;
          const response = shapeOf(use, result);
          if (response === undefined) return undefined;
          const seen = all.of(session, agent);
          const said = last.request === use.request ? last.text : undefined;
          const arrived = { id, tool, input, response, said, recall: `memoir recall ${id}` };
          const reduced = isOwnCall(arrived) ? undefined : decide(arrived, seen, policy);
          if (reduced || isMemorable(tool)) remember(arrived, reduced, seen);
          return reduced && { text: reduced.after, before: reduced.before, how: reduced.how };
        },
        asked: (text) => all.addPrompt(session, text),
        said: (text, request) => {
          last = { text: last.request === request ? `${last.text}\n${text}` : text, request };
        },
        failed: ({ tool, input }) => {
          if (isMemorable(tool) && typeof input.file_path === "string")
            all.of(session, agent).addFailure(input.file_path);
        },
        compacted: () => all.forget(session, agent ?? ""),
      };
    },
  };
}

const config = v.parse(ConfigSchema, {});

/** With inputs cleared as soon as their tool use is finished: the earliest that any strategy does it. */
export function cleared(strategy: Strategy, over = leastInput): Strategy {
  return {
    ...strategy,
    name: `${strategy.name} + inputs`,
    clear: { over, wants: wantsTool(config) },
  };
}

/** With the gateway's batches of old results. */
export function retiring(strategy: Strategy, minAge = retirementPolicy.minAge): Strategy {
  return {
    ...strategy,
    name: `${strategy.name} + batches`,
    retire: { policy: { ...retirementPolicy, minAge }, wants: wantsTool(config) },
  };
}
