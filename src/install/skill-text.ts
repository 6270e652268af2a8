// The skill that tells an agent when to ask its memory, and how.

/** `SKILL.md`, for the client's folder of skills and for the client's plugin. */
export const skillText = `---
name: memoir
description: Search the memory of earlier sessions. Use it when the user refers to earlier work ("last time", "as before", "why did we"), before working something out that may have been worked out already, when an error looks familiar, and when the user asks to remember or forget something.
---

# Memory of earlier sessions

memoir keeps what was said and done in every session. Its tools are those of the MCP server \`memoir\` (load them by a search
for tools when they are not listed). Without them, use the shell: \`memoir search\`, \`memoir show\`, \`memoir timeline\`.

## When

- The user speaks of something you have not seen: an earlier decision, a bug, a file, "last week".
- Before you debug an error or choose an approach: look whether it was met or chosen before.
- Not for what stands in the files in front of you.

## How

1. \`search\` with \`queries\`: the question in two to four ways. Other words, names of functions and files, the error's text
   without paths and numbers. One list is one search; it finds what a single wording misses.
2. Narrow only when there is too much: \`project\`, \`file\`, \`type\` (decision, bugfix), \`since\` ("3d"). A time may stand in
   the words: "before v1.2".
3. \`get\` with the ids that matter, several at once. A turn (t12) is word for word, an observation (o3) a digest. \`timeline\`
   with \`around\` shows what came before and after.
4. Nothing found: other words once, then say that memory has nothing. Memory tells what was, the files what is.

\`remember\` only what the user asked to keep, with their own words as \`quote\`. \`correct\` (edit, pin, hide)
and \`forget\` show first; ask the user, then confirm.
`;
