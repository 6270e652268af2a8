// Headings under which a closing message says what is left to do, by language: with an example each, which is its test.

/** A heading begins with one of these; nothing else of a text is judged by them. */
export const nextWords: ReadonlyArray<{ language: string; pattern: RegExp; example: string }> = [
  {
    language: "en",
    pattern:
      /^(?:what(?:'s| is)? (?:next|left|remaining)|next(?!\.\w)(?: steps?| up)?|remaining|still (?:open|to do|missing)|open(?: questions?| points?| items?)?|to-?dos?(?=\s*(?:$|[:(]|list))|follow-?ups?|not (?:yet )?done|pending)\b/i,
    example: "Next steps",
  },
  {
    language: "de",
    pattern:
      /^(?:nächste(?:r|s)? schritte?|offen(?:e punkte|e fragen)?|noch (?:offen|zu tun)|was (?:fehlt|bleibt))(?!\p{L})/iu,
    example: "Nächste Schritte",
  },
  {
    language: "fr",
    pattern: /^(?:prochaines? étapes?|reste à faire|à faire|points ouverts|en suspens)(?!\p{L})/iu,
    example: "Prochaines étapes",
  },
  {
    language: "es",
    pattern: /^(?:próximos? pasos?|siguientes? pasos?|pendientes?|falta|por hacer)(?!\p{L})/iu,
    example: "Próximos pasos",
  },
  {
    language: "pt",
    pattern: /^(?:próximos? passos?|pendências?|pendentes?|falta)(?!\p{L})/iu,
    example: "Próximos passos",
  },
  {
    language: "it",
    pattern: /^(?:prossimi passi|da fare|in sospeso)(?!\p{L})/iu,
    example: "Prossimi passi",
  },
  {
    language: "ru",
    pattern: /^(?:следующие шаги|осталось|дальше)(?!\p{L})/iu,
    example: "Следующие шаги",
  },
  { language: "ar", pattern: /^(?:الخطوات التالية|المتبقي)/u, example: "الخطوات التالية" },
  { language: "zh", pattern: /^(?:下一步|后续|待办|未完成|剩余)/u, example: "下一步" },
  {
    language: "ja",
    pattern: /^(?:次のステップ|残り|残作業|今後|未対応|次に)/u,
    example: "次のステップ",
  },
  { language: "ko", pattern: /^(?:다음 단계|남은 (?:일|작업))/u, example: "다음 단계" },
];

/** True for a heading, or a line that introduces a list, of what is left to do. */
export function isNextHeading(heading: string): boolean {
  const text = heading.replace(/^[^\p{L}]+/u, "");
  return nextWords.some(({ pattern }) => pattern.test(text));
}
