import { expect, test } from "bun:test";
import { sampleBatch, sampleUse, testHost } from "../../src/testing/index.ts";
import { testExample } from "../support/example-suite.ts";
import infrastructure from "./infrastructure.ts";

testExample("infrastructure", infrastructure);

const bash = (id: string, command: string, part: object) =>
  sampleUse(id, { name: "Bash", input: { command }, ...part });

test("infrastructure: keeps what changed, not what was looked at", async () => {
  const host = await testHost(infrastructure);
  const batch = sampleBatch([
    bash("t1", "terraform plan -out plan.bin", { response: { stdout: "Plan: 3 to add." } }),
    bash("t2", "cd infra && terraform -chdir=prod apply plan.bin", {
      response: { stdout: "aws_sqs.q: Creating...\nApply complete! Resources: 3 added." },
    }),
    bash("t3", "kubectl -n shop scale deployment/web --replicas=4", {
      response: { stdout: "deployment.apps/web scaled" },
    }),
    bash("t4", "kubectl get pods", { response: { stdout: "web-1 Running" } }),
    { ...bash("t5", "docker push shop/web:4", {}), error: "denied: requested access is denied" },
  ]);
  const result = { observations: [], skipped: { t1: "routine", t2: "routine", t4: "routine" } };
  const answer = await host.call("extract", { batch, result });
  await host.stop();
  expect(answer?.result.observations.map(({ title, subtitle }) => [title, subtitle])).toEqual([
    ["Terraform apply worked on the infrastructure", "Apply complete! Resources: 3 added."],
    ["Kubernetes scale worked on the infrastructure", "deployment.apps/web scaled"],
    ["Docker push failed on the infrastructure", "denied: requested access is denied"],
  ]);
  expect(answer?.result.skipped).toEqual({ t1: "routine", t4: "routine" });
});
