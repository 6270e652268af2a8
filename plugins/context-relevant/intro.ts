// The first line of what a prompt is told, by language. The rest is quoted as it was said.
import type { Language } from "../../src/text/index.ts";
import type { Speaker } from "./passage.ts";

/** `{command}`: how memoir is called in a shell. */
export const intros: Readonly<Record<Language, string>> = {
  en: "From earlier sessions, as it was said then; check before use. `{command} show <id>` tells all of it.",
  de: "Aus früheren Sitzungen, wie es damals gesagt wurde; vor Gebrauch zu prüfen. `{command} show <id>` zeigt alles.",
  fr: "De sessions précédentes, comme c’était dit alors ; à vérifier avant usage. `{command} show <id>` montre tout.",
  es: "De sesiones anteriores, como se dijo entonces; compruébalo antes de usarlo. `{command} show <id>` lo muestra todo.",
  pt: "De sessões anteriores, como foi dito então; verifique antes de usar. `{command} show <id>` mostra tudo.",
  it: "Da sessioni precedenti, come fu detto allora; da verificare prima dell’uso. `{command} show <id>` mostra tutto.",
  nl: "Uit eerdere sessies, zoals het toen gezegd werd; ga het na voor gebruik. `{command} show <id>` toont alles.",
  ru: "Из прежних сессий, как было сказано тогда; проверьте перед использованием. `{command} show <id>` покажет всё.",
  ar: "من جلسات سابقة، كما قيل حينها؛ تحقق قبل الاستعمال. `{command} show <id>` يعرض كل شيء.",
  ja: "以前のセッションから、当時の言葉のまま。使う前に確認すること。`{command} show <id>` で全文。",
  zh: "来自以前的会话，为当时原话；使用前请核对。`{command} show <id>` 显示全文。",
  ko: "이전 세션에서 당시에 한 말 그대로. 쓰기 전에 확인할 것. `{command} show <id>`로 모두 봄.",
};

const words: Readonly<Record<Language, string>> = {
  en: "user | agent | output",
  de: "Nutzer | Agent | Ausgabe",
  fr: "utilisateur | agent | sortie",
  es: "usuario | agente | salida",
  pt: "usuário | agente | saída",
  it: "utente | agente | output",
  nl: "gebruiker | agent | uitvoer",
  ru: "пользователь | агент | вывод",
  ar: "المستخدم | الوكيل | مخرجات",
  ja: "ユーザー | エージェント | 出力",
  zh: "用户 | 代理 | 输出",
  ko: "사용자 | 에이전트 | 출력",
};

/** Who said a passage, by language. */
export const speakers = Object.fromEntries(
  Object.entries(words).map(([language, row]) => {
    const [user = "", agent = "", tool = ""] = row.split(" | ");
    return [language, { user, agent, tool }];
  }),
) as Readonly<Record<Language, Readonly<Record<Speaker, string>>>>;
