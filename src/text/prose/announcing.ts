// Sentences that say what the speaker is about to do: by language, with an example each, which is its test.

/** Such a sentence is told last: what came of it is said elsewhere. */
export const announcements: ReadonlyArray<{ language: string; pattern: RegExp; example: string }> =
  [
    {
      language: "en",
      pattern:
        /^(?:now |next,? |ok(?:ay)?,? |first,? )?(?:let me|let's|i'll|i will|i need to|i'm going to|i should)\b/i,
      example: "Now let me look at the tests",
    },
    {
      language: "en",
      pattern: /^(?:[^,.]{0,80}, )?here(?:'s| is| are)\b/i,
      example: "Based on the docs, here's what you need to know",
    },
    {
      language: "de",
      pattern: /^(?:jetzt |als nächstes )?(?:ich werde|ich schaue|lass mich|ich muss)(?!\p{L})/iu,
      example: "Ich schaue mir die Tests an",
    },
    {
      language: "de",
      pattern: /^(?:[^,.]{0,80}, )?hier (?:ist|sind|kommt)(?!\p{L})/iu,
      example: "Hier ist die Zusammenfassung der Änderungen",
    },
    {
      language: "fr",
      pattern: /^(?:maintenant,? )?(?:je vais|laissez-moi|laisse-moi)(?!\p{L})/iu,
      example: "Je vais lire les tests",
    },
    {
      language: "fr",
      pattern: /^voici(?!\p{L})/iu,
      example: "Voici le résumé des changements",
    },
    {
      language: "es",
      pattern: /^(?:ahora )?(?:voy a|déjame|permíteme)(?!\p{L})/iu,
      example: "Ahora voy a leer las pruebas",
    },
    {
      language: "zh",
      pattern: /^(?:现在|接下来)?(?:让我|我来|我将|我会)/u,
      example: "让我看一下测试",
    },
  ];

/** True for "Let me look at …" and its like. */
export function isAnnouncement(text: string): boolean {
  return announcements.some(({ pattern }) => pattern.test(text));
}
