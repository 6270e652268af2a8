// Another extraction heuristic: commands that changed infrastructure become observations beside those of the built-in one.
import type { ObservationDraft, Plugin, ToolUse } from "memoir/sdk";

/** What a command did, by its own words; routine (`plan`, `get`, `ps`) is not among them. */
const changes: ReadonlyArray<[pattern: RegExp, what: string, concept: string]> = [
  [/\bterraform\s+(?:-\S+\s+)*(apply|destroy|import)\b/, "Terraform", "infrastructure-as-code"],
  [
    /\bkubectl\s+(?:-\S+\s+\S+\s+)*(apply|delete|scale|rollout|set|patch)\b/,
    "Kubernetes",
    "cluster",
  ],
  [/\bdocker\s+(?:compose\s+)?(build|push|up|down|rm)\b/, "Docker", "containers"],
];

/** The last words of the output that say how it ended. */
const endings =
  /^(?:Apply complete!.*|Destroy complete!.*|.* (?:created|configured|deleted|scaled|restarted)|Error: .*|.*denied.*)$/gm;

function draftOf(use: ToolUse): ObservationDraft | undefined {
  const { command } = (use.input ?? {}) as { command?: unknown };
  if (use.name !== "Bash" || typeof command !== "string" || use.withheld) return undefined;
  for (const [pattern, tool, concept] of changes) {
    const verb = pattern.exec(command)?.[1];
    if (!verb) continue;
    const { stdout = "" } = (use.response ?? {}) as { stdout?: string };
    const ends = (use.error ?? stdout).match(endings)?.slice(-3) ?? [];
    const end = use.error === undefined ? "worked" : "failed";
    const short = command.replace(/\s+/g, " ").slice(0, 80);
    return {
      type: "infrastructure",
      title: `${tool} ${verb} ${end} on the infrastructure`,
      subtitle: ends.at(-1)?.trim().slice(0, 120) ?? "",
      facts: [`\`${short}\` was run by the agent in ${use.cwd} and ${end}.`.slice(0, 150)],
      narrative: ends.map((line) => line.trim().slice(0, 300)).join("\n"),
      concepts: ["infrastructure", concept],
      filesRead: [],
      filesModified: [],
      toolUseIds: [use.id],
      time: use.time,
    };
  }
  return undefined;
}

export default {
  name: "infrastructure",
  description: "Keeps what terraform, kubectl and docker changed.",
  sdk: 1,
  slot: "observation",
  events: ["PostToolUse", "PostToolUseFailure", "Stop"],
  hooks: {
    extract({ batch, result }) {
      const found = batch.toolUses.flatMap((use) => draftOf(use) ?? []);
      if (found.length === 0) return undefined;
      const own = new Set(found.flatMap(({ toolUseIds }) => toolUseIds));
      const skipped = Object.entries(result.skipped ?? {}).filter(([id]) => !own.has(id));
      return {
        batch,
        result: {
          ...result,
          observations: [...result.observations, ...found],
          skipped: Object.fromEntries(skipped),
        },
      };
    },
  },
} satisfies Plugin;
