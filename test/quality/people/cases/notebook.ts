// A data scientist in a notebook: cells, a refuted hypothesis, a figure that counts.
import type { Person } from "../script.ts";

export const notebook: Person = {
  name: "notebook",
  cwd: "/home/priya/churn",
  sessions: [
    {
      start: "2026-04-20T10:00:00Z",
      steps: [
        { user: "AUC dropped from 0.83 to 0.71 on the March data. My guess is the new pricing." },
        {
          notebook: "notebooks/march.ipynb",
          cell: "c7",
          source: "df.groupby('plan').churn.mean()",
        },
        {
          says: "Churn per plan did not move, so pricing is not the reason. Looking at the features now.",
        },
        { notebook: "notebooks/march.ipynb", cell: "c9", source: "df.isna().mean().sort_values()" },
        {
          runs: "python -m jupyter nbconvert --execute notebooks/march.ipynb",
          prints: "last_login NaN 0.64",
        },
        {
          says: "64 % of last_login is empty since the tracker moved to the new SDK on 2 March. Imputing it with the signup date brings AUC back to 0.82.",
        },
        {
          user: "Good find. Use the median, not the signup date, that would leak. And keep random_state=17 everywhere so that figures can be compared.",
        },
        {
          notebook: "notebooks/march.ipynb",
          cell: "c12",
          source: "X['last_login'] = X['last_login'].fillna(X['last_login'].median())",
        },
        {
          runs: "python -m jupyter nbconvert --execute notebooks/march.ipynb",
          prints: "AUC 0.809",
        },
        {
          says: "With the median AUC is 0.809, without leakage. The data team has not repaired the tracker yet; ask them for last_login before the April run.",
        },
      ],
    },
  ],
  notes: [
    {
      id: "cause",
      note: "last_login is empty for 64 % since the tracker's new SDK.",
      ask: "why did AUC drop",
      tokens: [["last_login"], ["64"]],
    },
    {
      id: "refuted",
      note: "Pricing was ruled out.",
      ask: "was pricing the reason",
      tokens: [["pricing"], ["not the reason", "did not move", "ruled out"]],
    },
    {
      id: "median",
      note: "Fill with the median, not the signup date, because of leakage.",
      ask: "how to impute last_login",
      tokens: [["median"]],
    },
    {
      id: "seed",
      note: "random_state=17 everywhere.",
      ask: "random seed",
      tokens: [["random_state=17"]],
    },
    { id: "auc", note: "AUC is 0.809 now.", ask: "current AUC", tokens: [["0.809"]] },
    {
      id: "open",
      note: "Open: the data team must repair the tracker before April.",
      ask: "what about the tracker",
      tokens: [["April"], ["tracker"]],
    },
  ],
  never: [
    {
      id: "pricing",
      what: "The drop comes from pricing.",
      tokens: [["my guess is the new pricing", "because of the new pricing"]],
      unless: ["asked", "not the reason", "did not move", "ruled out"],
    },
    { id: "signup", what: "AUC is 0.82 by the signup date.", tokens: [["back to 0.82"]] },
  ],
};
