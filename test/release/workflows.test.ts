// The workflows: actions are pinned to a commit, every job says its rights, no token stays in a checkout, and nothing a stranger writes is run.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Workflow {
  permissions: unknown;
  jobs: Record<string, { permissions?: unknown; "timeout-minutes"?: number; steps: Step[] }>;
}

const folder = join(import.meta.dir, "../../.github/workflows");

for (const name of readdirSync(folder))
  describe(name, () => {
    const workflow = Bun.YAML.parse(readFileSync(join(folder, name), "utf8")) as Workflow;
    test("has no rights but those that a job names", () => {
      expect(workflow.permissions).toEqual({});
      for (const [job, { permissions, "timeout-minutes": minutes }] of Object.entries(
        workflow.jobs,
      ))
        expect([job, typeof permissions, typeof minutes]).toEqual([job, "object", "number"]);
    });
    for (const [job, { steps }] of Object.entries(workflow.jobs))
      for (const [at, step] of steps.entries())
        test(`${job}, step ${at + 1}`, () => {
          if (step.uses) expect(step.uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
          if (step.uses?.startsWith("actions/checkout@"))
            expect(step.with?.["persist-credentials"]).toBe(false);
          expect(step.run ?? "").not.toContain("${{");
        });
  });
