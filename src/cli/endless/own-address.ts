// What the client does otherwise once it talks to any other address than the API's own; measured with version 2.1.329.

/** Whether the client, left to itself, would ask the API's own host. */
export function isDefault(upstream: string): boolean {
  return URL.canParse(upstream) && new URL(upstream).hostname === "api.anthropic.com";
}

/** Of one input token: written to the cache, and read from it. */
export const cachePrices = { writePrice: 1.25, readPrice: 0.1 };

/** Said before the client is led away from the API's own host. */
export const ownAddressNote = [
  "Through an address that is not the API's own, Claude Code leaves out the cache scope that all users share and three beta features",
  "(clearing notes in mid-conversation, controls of thinking, diagnosis of the cache). A session's first request then writes its tools and the",
  "beginning of its system prompt anew, about 8,000 tokens; `memoir endless gateway status` sets that against what is saved.",
].join(" ");
