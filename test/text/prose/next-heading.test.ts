// Headings of what is left to do, as people and models write them, in each language that is known.
import { expect, test } from "bun:test";
import { bare, isNextHeading, nextWords, phrasesOf } from "../../../src/text/prose/phrases.ts";

test.each([
  ...[
    "What's next?",
    "**Next steps**",
    "## Remaining work",
    "Still open:",
    "TODO",
    "1. Open questions",
  ],
  ...["Follow-ups", "Not yet done", "Pending items", "Next up", "What remains", "Next:"],
  ...["Nächste Schritte", "Offene Punkte", "Noch zu tun", "Was fehlt", "Offen:"],
  ...["Prochaines étapes", "Reste à faire", "Próximos pasos", "Siguientes pasos", "Pendientes"],
  ...["Por hacer", "Próximos passos", "Pendências", "Prossimi passi", "Da fare", "In sospeso"],
  ...["Следующие шаги", "Осталось", "الخطوات التالية", "下一步", "待办", "次のステップ", "残作業"],
  ...["다음 단계", "남은 일"],
])("%s", (heading) => {
  expect(isNextHeading(heading)).toBe(true);
});

test.each([
  "Next door",
  "Nextcloud",
  "What was done",
  "Opening hours",
  "Todolist",
  "The next steps",
  "Done",
  "",
])("not %j", (heading) => {
  expect(isNextHeading(heading)).toBe(false);
});

test.each(
  Object.entries(nextWords).flatMap(([language, words]) =>
    phrasesOf(words).map((word) => [language, word] as const),
  ),
)("%s: %s", (_, word) => {
  const heading = bare(word);
  expect(isNextHeading(heading)).toBe(true);
  expect(isNextHeading(`2. ${heading}:`)).toBe(true);
  expect(isNextHeading(`${heading} 1.0`)).toBe(!word.endsWith("$"));
});
