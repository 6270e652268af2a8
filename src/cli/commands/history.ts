// The commands around recorded sessions: reading their transcripts.
import type { Declared, Loading } from "./declared.ts";

const which = [["[which]", "A `.jsonl` file, or a session's id or the beginning of it"]] as const;
const last = { "--last": "The session that changed last" } as const;
const jsonLines = { "--json": "Print JSON, one object per line" } as const;
const limit = { says: "How many at most" } as const;

/** All of them. */
export const historyCommands = {
  transcript: {
    does: "Read clients' recorded sessions",
    usually: "list",
    examples: ["memoir session dump --last"],
    commands: {
      dump: {
        does: "Print a session for reading",
        load: async (): Loading => (await import("../history/transcript/print.ts")).dumpTranscript,
        args: which,
        options: { ...last, "--thinking": "Also print what the model thought", ...jsonLines },
        examples: ["memoir session dump --last | less"],
      },
      markdown: {
        does: "Print every line and field of a transcript as Markdown",
        load: async (): Loading =>
          (await import("../history/transcript/print.ts")).transcriptMarkdown,
        args: which,
        options: { ...last, ...jsonLines },
        examples: ["memoir session markdown 3f2a > s.md"],
      },
      context: {
        does: "Print what an observation gets around a tool use",
        load: async (): Loading =>
          (await import("../history/transcript/context.ts")).transcriptContext,
        args: which,
        options: { ...last, "--tool <tool-use>": "The tool use; the last one by default" },
        examples: ["memoir session context --last --json"],
      },
      examples: {
        does: "Print requests with the reasoning that followed them",
        load: async (): Loading =>
          (await import("../history/transcript/print.ts")).transcriptExamples,
        args: which,
        options: { ...last, "-n, --limit <count>": { ...limit, most: 1_000, default: 5 } },
        examples: ["memoir session examples --last -n 3"],
      },
      stats: {
        does: "Count entries, tools, tokens and cost, of a folder too",
        load: async (): Loading => (await import("../history/transcript/stats.ts")).transcriptStats,
        args: which,
        options: last,
        examples: ["memoir session stats ~/.claude/projects"],
      },
      validate: {
        does: "List lines that can't be read (exits with 1 if any)",
        load: async (): Loading =>
          (await import("../history/transcript/stats.ts")).validateTranscripts,
        args: which,
        options: last,
        examples: ["memoir session validate --last"],
      },
      list: {
        does: "List recorded sessions, newest first",
        load: async (): Loading => (await import("../history/transcript/find.ts")).listTranscripts,
        args: [["[folder]", "A folder of a client's sessions; every client's by default"]],
        options: { "-n, --limit <count>": { ...limit, most: 10_000, default: 20 } },
        examples: ["memoir session list -n 50"],
      },
    },
  },
} as const satisfies Declared;
