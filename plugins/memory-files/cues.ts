// How people say that something holds beyond the task at hand: by language, each cue with an example, which is its test.
import type { NewMemoryItem } from "../../src/sdk/index.ts";

/** What a cue makes of a sentence. */
interface Cue {
  kind: Extract<NewMemoryItem["kind"], "decisions" | "preferences" | "facts">;
  pattern: RegExp;
  examples: readonly string[];
}

/** In this order: the first that fits names the kind. A sentence without any is kept too, once it was said in several sessions. */
export const cues: readonly Cue[] = [
  {
    kind: "preferences",
    pattern:
      /\b(?:from now on|in (?:the )?future|going forward|as a rule|by default we|my preference)\b|^(?:please |and |but |also |so )?(?:always|never)\b|\b(?:we|you|i|must|should|please) (?:always|never)\b|\b(?:don't|do not|must not) ever\b|\bi(?:'d| would)? (?:much |really |strongly |always )?prefer\b/i,
    examples: [
      "From now on, write commit messages in English",
      "Never push to main directly",
      "We always use pnpm here",
      "I prefer tabs over spaces",
    ],
  },
  {
    kind: "decisions",
    pattern:
      /\b(?:we|i)(?: have|'ve)? (?:decided|agreed|settled|opted|chose)\b|\bwe(?:'ll| will|'re| are)? (?:stick(?:ing)? (?:with|to)|go(?:ing)? with|stay(?:ing)? (?:with|on))\b|\blet's (?:go|stick|stay) with\b|^(?:use|keep) .{3,80}\b(?:instead of|rather than)\b/i,
    examples: [
      "We decided to keep SQLite",
      "Let's stick with the old parser",
      "Use bun instead of npm",
    ],
  },
  {
    kind: "preferences",
    pattern:
      /(?<!\p{L})(?:ab jetzt|von nun an|ab sofort|künftig|in zukunft|grundsätzlich|niemals)(?!\p{L})|^(?:bitte )?(?:immer|nie)(?!\p{L})|(?<!\p{L})(?:wir|ich|du|bitte) \p{L}+ (?:immer|nie)(?!\p{L})|(?<!\p{L})ich bevorzuge(?!\p{L})/iu,
    examples: [
      "Ab jetzt bitte alle Kommentare auf Deutsch",
      "Niemals direkt auf main pushen",
      "Wir nutzen immer pnpm",
    ],
  },
  {
    kind: "decisions",
    pattern:
      /(?<!\p{L})(?:(?:haben|habe) (?:uns|mich) (?:für .{2,80} )?entschieden|(?:haben|habe) .{0,60}(?:beschlossen|entschieden)|wir bleiben bei)(?!\p{L})/iu,
    examples: ["Wir haben uns für Postgres entschieden", "Wir bleiben bei der alten API"],
  },
  {
    kind: "preferences",
    pattern:
      /(?<!\p{L})(?:désormais|dorénavant|à partir de maintenant|à l'avenir|ne .{1,40} jamais|je préfère)(?!\p{L})|^toujours(?!\p{L})/iu,
    examples: [
      "Désormais, les commits sont en anglais",
      "Ne pousse jamais sur main",
      "Je préfère les petites fonctions",
    ],
  },
  {
    kind: "decisions",
    pattern:
      /(?<!\p{L})(?:(?:nous avons|on a) (?:décidé|choisi|opté)|on (?:garde|reste sur))(?!\p{L})/iu,
    examples: ["On a décidé de garder SQLite", "On reste sur Vue"],
  },
  {
    kind: "preferences",
    pattern:
      /(?<!\p{L})(?:a partir de ahora|de ahora en adelante|en adelante|nunca|prefiero)(?!\p{L})|(?:^|[,;] )siempre(?!\p{L})/iu,
    examples: [
      "A partir de ahora usa pnpm",
      "Nunca borres los datos crudos",
      "Prefiero funciones pequeñas",
    ],
  },
  {
    kind: "decisions",
    pattern:
      /(?<!\p{L})(?:(?:hemos )?(?:decidido|decidimos|acordado|acordamos)|nos quedamos con)(?!\p{L})/iu,
    examples: ["Decidimos quedarnos con DuckDB", "Nos quedamos con la versión 3"],
  },
  {
    kind: "preferences",
    pattern:
      /(?<!\p{L})(?:a partir de agora|daqui em diante|eu prefiro|d'ora in poi|preferisco|никогда|всегда|отныне|впредь)(?!\p{L})/iu,
    examples: ["A partir de agora usa pnpm", "D'ora in poi usa pnpm", "Никогда не трогай main"],
  },
  {
    kind: "preferences",
    pattern: /(?:今后|以后|从现在起|从今以后|永远不要|绝不要?|千万不要|一律|总是|务必)/u,
    examples: ["以后提交信息都用英文", "永远不要直接推送到主分支", "数据库迁移一律先备份"],
  },
  {
    kind: "decisions",
    pattern: /(?:我们(?:已经|已)?(?:决定|选择了|选定|商定)|就用)/u,
    examples: ["我们决定使用 PostgreSQL"],
  },
  {
    kind: "preferences",
    pattern: /(?:今後は|これからは|必ず|絶対に|常に|いつも)/u,
    examples: ["今後はコミットを英語で書いて", "必ずテストを先に書いて"],
  },
  {
    kind: "decisions",
    pattern: /(?:に(?:決めました|決めた|します|した)(?:[。！]|$)|を採用(?:する|します|した))/u,
    examples: ["状態管理はZustandに決めました", "Zodを採用します"],
  },
  {
    kind: "preferences",
    pattern: /(?:앞으로는|항상|절대로?)/u,
    examples: ["앞으로는 커밋을 영어로 써줘"],
  },
  {
    kind: "preferences",
    pattern: /(?:من الآن فصاعدا|دائما|أبدا)/u,
    examples: ["من الآن فصاعدا استخدم pnpm"],
  },
  {
    kind: "facts",
    pattern:
      /^(?=.*\b(?:the|our|my|this|we|all)\b).*(?:\b(?:lives?|runs?|listens?|(?:is|are) (?:running|kept|installed|located|hosted|deployed|stored)) (?:at|in|on|under|with|via) (?:the )?(?:port\b|\S*(?:[/:\d]|\.\w))|\b(?:node(?:\.js)?|bun|deno|python|ruby|go|rust|java|php|postgres\w*|mysql|redis) (?:version )?v?\d+(?:\.\d+)+)/i,
    examples: ["The staging server runs on port 8080", "We are on Python 3.12"],
  },
];

/** A cue in a sentence. */
interface FoundCue {
  kind: Cue["kind"];
  /** Where it begins. */
  at: number;
}

/** The cue that makes a sentence of a kind; undefined for most. */
export function cueOf(sentence: string): FoundCue | undefined {
  for (const { kind, pattern } of cues) {
    const found = pattern.exec(sentence);
    if (found) return { kind, at: found.index };
  }
  return undefined;
}

/** Words before a cue, in its clause, that take its force: by language, each with an example, which is its test. */
interface Hold {
  /** `void`: past, supposed, asked. `unsure`: "make sure that we always …" is a rule, "it is not true that …" is none. */
  leaves: "void" | "unsure";
  pattern: RegExp;
  examples: readonly string[];
}

/** In this order: the first that fits says what is left of the rule. */
export const holds: readonly Hold[] = [
  {
    leaves: "void",
    pattern: /\b(?:whether|if|unless|why|how|used to|formerly|back then)\b/i,
    examples: [
      "Tell me whether we always run the linter",
      "If we always ran all tests, it would take hours",
      "Formerly we always used npm",
    ],
  },
  {
    leaves: "void",
    pattern: /(?<!\p{L})(?:ob|wenn|falls|warum|früher|damals)(?!\p{L})/iu,
    examples: [
      "Wenn wir grundsätzlich npm nutzen würden, ginge es schneller",
      "Früher haben wir grundsätzlich npm benutzt",
    ],
  },
  {
    leaves: "void",
    pattern: /(?<!\p{L})(?:si|pourquoi|avant|autrefois)(?!\p{L})/iu,
    examples: [
      "Si on ne lançait jamais les tests, ce serait plus rapide",
      "Avant, on ne lançait jamais les tests",
    ],
  },
  {
    leaves: "void",
    pattern: /(?<!\p{L})antes(?!\p{L})/iu,
    examples: ["Antes nunca usábamos npm"],
  },
  {
    leaves: "void",
    pattern: /(?<!\p{L})(?:если|раньше|прежде)(?!\p{L})/iu,
    examples: ["Если мы всегда запускаем тесты, то это долго", "Раньше мы всегда использовали npm"],
  },
  {
    leaves: "void",
    pattern: /(?:如果|要是|是否|为什么|过去|以前)/u,
    examples: ["如果我们总是用npm，构建会变慢"],
  },
  {
    leaves: "void",
    pattern: /(?:もし|以前は|昔は)/u,
    examples: ["もしいつもnpmを使うなら遅くなる"],
  },
  {
    leaves: "void",
    pattern: /(?:만약|예전에는)/u,
    examples: ["만약 항상 npm을 쓰면 느려진다"],
  },
  {
    leaves: "unsure",
    pattern: /\b(?:that|not)\b|(?<!\p{L})(?:dass|nicht|que|qu(?=')|che|что)(?!\p{L})/iu,
    examples: [
      "It is not true that we always use npm",
      "Vergiss, dass wir grundsätzlich npm benutzen",
      "No es cierto que nunca usemos npm",
    ],
  },
];

const clauseEnd = /[,;:：，；、()]\s*|\s[-–—]\s/u;
/** Words set in front of a clause that belong to it: "Früher, …". */
const setInFront = 2;

/** What the words before a cue leave of its rule; undefined: all. `at` is where the cue begins. */
export function holdOf(sentence: string, at: number): Hold["leaves"] | undefined {
  const clauses = sentence.slice(0, at).split(clauseEnd);
  const front = clauses.at(-2)?.trim() ?? "";
  const clause = clauses.slice(front.split(/\s+/).length <= setInFront ? -2 : -1).join(" ");
  return holds.find(({ pattern }) => pattern.test(clause))?.leaves;
}
