// German and English mixed, as in many offices.
import type { Person } from "../script.ts";

export const mixedLanguages: Person = {
  name: "mixed-languages",
  cwd: "/home/jonas/billing-service",
  sessions: [
    {
      start: "2026-07-06T08:30:00Z",
      steps: [
        {
          user: "Kannst du checken warum der nightly job die Rechnungen doppelt verschickt? Customer support dreht durch.",
        },
        {
          runs: "kubectl logs job/invoice-mailer | tail -3",
          prints: "sent 412\nretry after SIGTERM\nsent 412",
        },
        {
          says: "The job gets killed by the node drain at 02:00 and restarts from zero, because it only writes its checkpoint at the end.",
        },
        {
          edits: "mailer/run.go",
          from: "saveCheckpoint(all)",
          to: "saveCheckpoint(invoice.ID) // after each mail",
        },
        { runs: "go test ./mailer/...", prints: "ok  mailer 0.8s" },
        {
          says: "Gefixt: der Checkpoint wird jetzt nach jeder Mail geschrieben, ein Restart verschickt nichts doppelt. Root cause war der node drain um 02:00. Die 412 betroffenen Kunden haben noch keine Entschuldigung bekommen.",
        },
        {
          user: "Die Entschuldigung macht Sabine. Wichtig: feature flags only via Unleash, nie wieder env vars.",
        },
        { says: "Alles klar, feature flags laufen ab jetzt nur über Unleash." },
      ],
    },
  ],
  notes: [
    {
      id: "cause",
      note: "The node drain at 02:00 kills the job.",
      ask: "why were invoices sent twice",
      tokens: [["node drain"]],
    },
    {
      id: "fix",
      note: "The checkpoint is written after each mail.",
      ask: "Checkpoint mailer",
      tokens: [["Checkpoint"], ["nach jeder Mail", "after each mail"]],
    },
    {
      id: "sabine",
      note: "Sabine apologises to the customers.",
      ask: "wer entschuldigt sich bei den Kunden",
      tokens: [["Sabine"]],
    },
    {
      id: "flags",
      note: "Feature flags only in Unleash, no environment variables.",
      ask: "feature flags how",
      tokens: [["Unleash"]],
    },
  ],
  never: [
    {
      id: "checkpoint",
      what: "The checkpoint is only written at the end.",
      tokens: [["only writes its checkpoint at the end"]],
    },
  ],
};
