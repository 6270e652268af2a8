// Every label of every language is told somewhere.
import { expect, test } from "bun:test";
import type { Material } from "../../../plugins/context-handover/index.ts";
import { labelsOf } from "../../../plugins/context-handover/line.ts";
import { observation, summary } from "../../support/records.ts";
import { turn } from "../../support/turns.ts";
import { item, project, render, told } from "./render-room.ts";

/** What a note can tell, each with the label that it is told under. */
function everything(prompt: string): Partial<Material>[] {
  const turns = [
    turn(
      1,
      [
        ["prompt", prompt],
        ["plan", "1. Cache prices\n2. Purge them"],
        ["choice", "Monday", "When?"],
        ["said", "The cache is slow since prices are rounded twice there. Now I look."],
        ["compaction", "Summary:\nCarts are kept in Redis for thirty days."],
        ["commit", "Round once", "a81be3f (main)"],
        ["closing", "Prices are cached in src/price.ts."],
      ],
      { changed: ["src/price.ts"] },
    ),
    turn(
      2,
      [
        ["prompt", `${prompt}\n> --force`],
        ["failure", "Error: port taken", "make serve"],
        ["refusal", "Vouchers are never deleted", "rm vouchers"],
        ["refusal", "", "rm -rf data"],
      ],
      { session: "s2", changed: ["src/price.ts", "src/cart.ts"] },
    ),
    turn(
      3,
      [
        ["prompt", prompt],
        ["repair", "Error: no module shop\n\n→ src/shop.ts", "make test"],
        ["todo", "- [ ] write the imprint"],
        ["interrupted", "", "node migrate.js"],
      ],
      { session: "s3" },
    ),
    turn(
      4,
      [
        ["prompt", prompt],
        ["failure", "Error: no module shop", "make test"],
        ["repair", "Error: no module shop\n\n→ src/shop.ts", "make test"],
        ["failure", "boom", "make docs"],
        [
          "report",
          "Rounding happens in the cart and in the invoice alike. ".repeat(4),
          "find rounding",
        ],
        ["closing", "Shall I delete the vouchers?"],
      ],
      { session: "s4" },
    ),
    turn(
      5,
      [
        ["prompt", prompt],
        ["passed", "ok", "make build"],
        ["passed", "ok", "make build"],
        ["said", "I move the vouchers next."],
      ],
      { session: "s5" },
    ),
  ];
  const settled = [
    {
      ...{ id: "m1", kind: "decisions" as const, date: "2026-11-19", content: "Keep cents" },
      ...{ context: "", session: "s0", project: project.id, state: "candidate" as const },
      quote: "Keep cents",
    },
    {
      ...{ id: "m2", kind: "decisions" as const, date: "2026-11-19", content: "Keep a log" },
      ...{ context: "", session: "s0", project: project.id, state: "standing" as const },
      quote: "Keep a log",
    },
    {
      ...{ id: "m3", kind: "preferences" as const, date: "2026-11-19", content: "Reads fast" },
      ...{ context: "", session: "s0", project: project.id },
    },
  ];
  return [
    { turns, settled, summaries: [summary("y1", { session: "gone", scope: "session" })] },
    { turns: turns.slice(0, 4), observations: [observation("o1")] },
    { own: turns.slice(0, 1), turns: turns.slice(1, 3) },
    { turns, pinned: [{ kind: "turn" as const, record: turn(9, [["prompt", prompt]]) }] },
  ];
}

test.each([
  ["en", "Please fix the prices of the cart and run all tests"],
  ["de", "Der Rechner rundet falsch, bitte reparieren und die Preise prüfen"],
  ["fr", "Corrige la page dans les deux langues et ne touche pas au menu"],
  ["es", "Los datos de abril están mal, hay que corregir el script"],
  ["pt", "Não mude os testes, isso já está certo para o usuário"],
  ["it", "Non cambiare il menu, la pagina è già corretta per gli utenti"],
  ["nl", "Het menu is niet goed, maak het zoals op de andere pagina"],
  ["ru", "Исправь округление цен"],
  ["ar", "أصلح الصفحة الرئيسية"],
  ["ja", "ログイン画面を直してください"],
  ["zh", "修复登录页面的错误"],
  ["ko", "로그인 화면을 고쳐 주세요"],
] as const)("every label of %s is told somewhere", (language, prompt) => {
  const notes = everything(prompt).map((material) => render(material, 10_000)?.context ?? "");
  const { sections, ...labels } = labelsOf(language);
  const parts = [
    ...Object.values(sections).map((heading) => `## ${heading}\n`),
    ...Object.values(labels),
  ];
  const missing = parts.filter((label) => {
    const pieces = label.split(/\{\w+\}/);
    return !notes.some((note) => pieces.every((piece) => note.includes(piece)));
  });
  expect(missing).toEqual([]);
});

test("it speaks the language of the prompts", () => {
  const german = turn(1, [
    ["prompt", "Bitte die Preise nicht mehr runden"],
    ["closing", "Erledigt."],
  ]);
  expect(told(german)).toContain("## Stand zuletzt");
  expect(told(german)).toContain("Auftrag: “Bitte die Preise");
});

test("each line is traced to what it was made of, in the order of the lines", () => {
  const settled = [item("m1", { content: "Amounts are cents", quote: "Amounts are cents" })];
  const practice = [item("m2", { kind: "workflows", content: "bun test" })];
  for (const material of everything("Why is the discount subtracted twice from the price?")) {
    const note = render({ ...material, settled, practice });
    const lines = note?.context.split("\n").filter((line) => line.startsWith("- ")) ?? [];
    expect(note?.traces).toHaveLength(lines.length);
    for (const [at, line] of lines.entries()) {
      const [head] = /^- ([otsm]\d+)\b/.exec(line)?.slice(1) ?? [];
      const traced = note?.traces[at] ?? [];
      if (head !== undefined) expect(traced).toEqual([head]);
      else expect(traced.length, line).toBeGreaterThan(0);
    }
  }
});
