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
  jobs: Record<string, Job>;
}
interface Job {
  if?: string;
  needs?: string;
  permissions?: unknown;
  "timeout-minutes"?: number;
  steps: Step[];
}

const folder = join(import.meta.dir, "../../.github/workflows");

const read = (name: string) => Bun.YAML.parse(readFileSync(join(folder, name), "utf8")) as Workflow;

test("nothing is public before it was made twice, signed and tried, and before a person publishes it", () => {
  const { jobs } = read("release.yml");
  const jobWith = (words: string) => {
    const found = Object.entries(jobs).filter(([, { steps }]) =>
      steps.some(({ run }) => run?.includes(words)),
    );
    expect(found.map(([name]) => name)).toHaveLength(1);
    return found[0]?.[0] ?? "";
  };
  const before = (job: string): string[] => {
    const needed = jobs[job]?.needs;
    return needed ? [...before(needed), needed] : [];
  };
  expect(before(jobWith("gh release create"))).toEqual(["make", "verify", "sign", "try"]);
  expect(jobs.make?.if).toBe("github.event_name == 'push'");
  expect(jobs.draft?.steps.at(-1)?.run).toContain(" --draft ");
  // Published is what the person's click says.
  expect(jobs[jobWith("npm publish")]).toMatchObject({ if: "github.event_name == 'release'" });
  expect(JSON.stringify(jobs.draft)).not.toContain("secrets.");
});

for (const name of readdirSync(folder))
  describe(name, () => {
    const workflow = read(name);
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
