// Few words, lower case, corrections in two words.
import type { Person } from "../script.ts";

export const terse: Person = {
  name: "terse",
  cwd: "/home/k/parse",
  sessions: [
    {
      start: "2026-05-11T18:00:00Z",
      steps: [
        { user: "parser eats last line" },
        {
          reads: "parse.c",
          content: "while (fgets(buf, n, f)) if (strchr(buf, '\\n')) emit(buf);",
        },
        { edits: "parse.c", from: "if (strchr(buf, '\\n')) emit(buf);", to: "emit(buf);" },
        { runs: "make check", prints: "PASS: 31" },
        {
          says: "The last line was dropped when the file did not end in a newline. Fixed in parse.c; all 31 checks pass.",
        },
        { user: "tabs not spaces" },
        { edits: "parse.c", from: "    emit(buf);", to: "\temit(buf);" },
        { says: "Done, indented with tabs." },
        { user: "c99 only" },
        { says: "Understood: no C11 features." },
        { user: "crlf next time" },
        { says: "CRLF input is left for next time." },
        { user: "k" },
        { says: "Good." },
      ],
    },
  ],
  notes: [
    {
      id: "cause",
      note: "The last line was lost without a final newline.",
      ask: "parser last line missing",
      tokens: [["newline"]],
    },
    { id: "tabs", note: "Tabs, not spaces.", ask: "indentation", tokens: [["tabs"]] },
    { id: "c99", note: "Only C99.", ask: "which C standard", tokens: [["c99", "C11"]] },
    { id: "crlf", note: "Next: CRLF.", ask: "windows line ends", tokens: [["crlf"]] },
  ],
  never: [],
};
