// German, with decisions, a refusal with a reason, and something left open.
import type { Person } from "../script.ts";

export const germanShop: Person = {
  name: "german-shop",
  cwd: "/home/mika/laden",
  sessions: [
    {
      start: "2026-05-04T08:00:00Z",
      steps: [
        {
          user: "Der Versandkostenrechner rundet falsch: 4,995 wird zu 4,99 statt 5,00. Bitte reparieren. Grundsätzlich rechnen wir Beträge immer in ganzen Cent, nie mit Fließkommazahlen.",
        },
        { says: "Ich sehe mir erst die Berechnung an." },
        {
          reads: "src/versand/kosten.ts",
          content:
            "export function versandkosten(gewicht: number) { return Math.floor(gewicht * 1.665 * 100) / 100; }",
        },
        {
          edits: "src/versand/kosten.ts",
          from: "return Math.floor(gewicht * 1.665 * 100) / 100;",
          to: "return Math.round(gewicht * 166.5); // Cent",
        },
        {
          refuses: "rm -rf node_modules && npm install",
          because: "Lösch hier nie node_modules, nimm immer npm ci.",
        },
        { runs: "npm ci", prints: "added 312 packages in 9s" },
        {
          runs: "npm test -- versand",
          prints: "1 failing\n  versandkosten: Inselzuschlag erwartet 1250, bekam 12.5",
          fails: true,
        },
        {
          edits: "src/versand/inseln.ts",
          from: "zuschlag: 12.5",
          to: "zuschlag: 1250",
        },
        { runs: "npm test -- versand", prints: "14 passing" },
        {
          says: "Der Rechner arbeitet jetzt durchgehend in Cent. Ursache war das Abschneiden mit Math.floor; dazu stand der Inselzuschlag noch in Euro (12.5 statt 1250). Offen ist noch der Gutscheinrabatt in src/gutschein.ts: der rechnet weiter mit Euro.",
        },
        { user: "Den Gutschein machen wir morgen. Sollen Samstagslieferungen extra kosten?" },
        {
          asks: "Was kostet die Samstagslieferung?",
          options: ["Nichts", "3,90 € pauschal", "Je nach Gewicht"],
          answer: "3,90 € pauschal",
        },
        {
          edits: "src/versand/kosten.ts",
          from: "// Cent",
          to: "// Cent\nexport const samstag = 390;",
        },
        { says: "Samstagslieferungen kosten pauschal 390 Cent. Getestet ist das noch nicht." },
      ],
    },
  ],
  notes: [
    {
      id: "cents",
      note: "Amounts are always in whole cents.",
      ask: "Beträge in Cent oder Fließkomma",
      tokens: [["ganzen Cent", "in Cent"]],
    },
    {
      id: "npm-ci",
      note: "Never delete node_modules, use npm ci.",
      ask: "node_modules löschen",
      tokens: [["npm ci"], ["node_modules"]],
    },
    {
      id: "cause",
      note: "The cause was cutting off with Math.floor.",
      ask: "warum wurde falsch gerundet",
      tokens: [["Math.floor"]],
    },
    {
      id: "island",
      note: "The island surcharge was still in euros.",
      ask: "Inselzuschlag",
      tokens: [["Inselzuschlag"]],
    },
    {
      id: "open",
      note: "Open: the voucher discount still calculates in euros.",
      ask: "was ist beim Gutschein offen",
      tokens: [["src/gutschein.ts", "Gutscheinrabatt"]],
    },
    {
      id: "saturday",
      note: "Saturday delivery costs a flat 3.90, chosen by the user.",
      ask: "Preis der Samstagslieferung",
      tokens: [["Samstag"], ["3,90", "390"]],
    },
    {
      id: "untested",
      note: "The Saturday price is not tested yet.",
      ask: "ist Samstag getestet",
      tokens: [["noch nicht"]],
    },
  ],
  never: [
    {
      id: "failing",
      what: "The shipping tests fail.",
      tokens: [["1 failing", "schlägt fehl", "tests fail"]],
    },
    {
      id: "deleted",
      what: "node_modules was deleted.",
      tokens: [["rm -rf node_modules"]],
      unless: ["refus", "declin", "abgelehnt", "nie ", "never"],
    },
  ],
};
