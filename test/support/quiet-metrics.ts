// Endless Mode's figures with nothing to report, for tests of those who read them.

/** Of no request. */
export const noUsage = { turns: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Change what a test is about. */
export const quietMetrics = {
  ...{ since: 0, byDay: [], tools: [], notes: [] },
  treated: { sessions: 0, before: noUsage, after: noUsage },
  heldOut: { sessions: 0, before: noUsage, after: noUsage },
  comparison: { enough: false, words: "Too few sessions." },
};
