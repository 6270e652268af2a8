// Endless Mode's figures with nothing to report, for tests of those who read them.

/** Of no request. */
export const noUsage = { turns: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Change what a test is about. */
export const quietMetrics = {
  ...{ since: 0, byDay: [], tools: [], notes: [] },
  treated: { sessions: 0, before: noUsage, after: noUsage },
  heldOut: { sessions: 0, before: noUsage, after: noUsage },
  gained: {
    ...{ sessions: 0, requests: 0, tokens: 0, more: 0, cost: 0, saved: 0 },
    words: "Nothing was left out of a request, so nothing was gained.",
  },
  comparison: { enough: false, words: "Too few sessions." },
};
