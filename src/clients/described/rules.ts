// The word to an agent on when to use memoir's tools: a file of memoir's own, or a block in one that is the user's.
import type { RegistrationPart } from "../adapter.ts";

const text = `# Memory of earlier sessions (memoir)

The tools of the MCP server \`memoir\` know what was said and done in earlier sessions, also with other agents.

- \`search\` (\`queries\`: the question in two to four ways) when the user speaks of earlier work that you have not seen, and before you debug
  an error or choose an approach; then \`get\` with the ids that matter. Not for what is in the files in front of you.
- \`remember\` only what the user asked to keep, with their own words as \`quote\`.
`;

/** Where every file in a folder is a rule. */
export const rulesFile: RegistrationPart = { kind: "whole", text };

const [begin, end] = ["<!-- memoir: begin -->", "<!-- memoir: end -->"];
const block = `${begin}\n${text}${end}\n`;

/** The block with the lines around it that are its own. */
const found = new RegExp(`${begin}\\r?\\n[\\s\\S]*?${end}(?:\\r?\\n|$)`);

/** Where all rules stand in one file. */
export const rulesBlock: RegistrationPart = {
  kind: "edit",
  what: "rules",
  put(old) {
    if (found.test(old)) return old.replace(found, () => block);
    return old === "" ? block : `${old}${old.endsWith("\n") ? "\n" : "\n\n"}${block}`;
  },
  take: (whole) => whole.replace(new RegExp(`(?:\\r?\\n)?${found.source}`), ""),
  state(whole) {
    const [own] = found.exec(whole) ?? [];
    return own === undefined ? "none" : own === block ? "current" : "other";
  },
};
