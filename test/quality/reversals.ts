// Two statements of one subject, the older first: one that turns the other round, and ones that say the same.
import { isSetAside } from "./set-aside.ts";

/** A pair; `reversed`: the newer takes the older one back. */
export interface ReversalCase {
  id: string;
  aside: boolean;
  older: string;
  newer: string;
  reversed: boolean;
}

const reversed: ReadonlyArray<readonly [string, string]> = [
  ["Always use pnpm in this house", "Never use pnpm in this house"],
  ["Never use pnpm in this house", "Always use pnpm in this house"],
  ["Always run the linter before a commit", "Don't run the linter before a commit any more"],
  [
    "From now on, write commit messages in English",
    "From now on, don't write commit messages in English",
  ],
  ["We always commit generated files", "We no longer commit generated files"],
  ["I prefer default exports in modules", "I don't prefer default exports in modules"],
  ["Please always squash commits before merging", "Please stop squashing commits before merging"],
  ["Never push to main directly", "You may push to main directly from now on"],
  ["Always add a changelog entry", "Avoid adding a changelog entry"],
  ["Ab jetzt immer pnpm verwenden", "Ab jetzt niemals pnpm verwenden"],
  ["Wir committen generierte Dateien immer", "Wir committen generierte Dateien nicht mehr"],
  ["Immer Tests vor dem Code schreiben", "Nie Tests vor dem Code schreiben"],
  ["Wir verwenden grundsätzlich Semikolons", "Wir verwenden grundsätzlich keine Semikolons"],
  ["Désormais, utilise pnpm pour les paquets", "Désormais, n'utilise plus pnpm pour les paquets"],
  ["Lance toujours les tests avant un commit", "Ne lance jamais les tests avant un commit"],
  ["Siempre usa pnpm para los paquetes", "Nunca uses pnpm para los paquetes"],
  ["A partir de ahora escribe comentarios", "A partir de ahora no escribas comentarios"],
  ["Usa sempre pnpm per i pacchetti", "Non usare mai pnpm per i pacchetti"],
  ["Usa sempre pnpm nos pacotes", "Nunca usa pnpm nos pacotes"],
  ["Всегда используй pnpm для пакетов", "Никогда не используй pnpm для пакетов"],
  ["今後はpnpmを使ってください", "今後はpnpmを使わないでください"],
  ["必ずコミット前にテストを実行して", "コミット前にテストを実行しないで"],
  ["以后提交信息都用英文写", "以后提交信息不要用英文写"],
  ["务必在提交前运行测试", "不要在提交前运行测试"],
  ["항상 pnpm을 사용해", "pnpm을 사용하지 마"],
];
const same: ReadonlyArray<readonly [string, string]> = [
  ["Never push to main directly", "Don't ever push to main directly"],
  ["Never push to main directly", "Do not push directly to main"],
  ["Always use pnpm in this house", "From now on always use pnpm in this house"],
  ["Always ask before pushing to main", "Never push to main without asking before"],
  ["We no longer commit generated files", "We never commit generated files"],
  ["Avoid default exports in modules", "Never use default exports in modules"],
  ["Niemals direkt auf main pushen", "Bitte nicht direkt auf main pushen"],
  ["Wir verwenden grundsätzlich keine Semikolons", "Wir verwenden nie Semikolons"],
  ["Immer Tests vor dem Code schreiben", "Tests immer vor dem Code schreiben"],
  ["Ne pousse jamais sur main", "Ne pousse plus sur main"],
  ["Nunca borres los datos crudos", "No borres nunca los datos crudos"],
  ["Никогда не трогай main", "Не трогай main"],
  ["永远不要直接推送到主分支", "不要直接推送到主分支"],
  ["mainには絶対にpushしないで", "今後mainにはpushしないで"],
  ["We decided on cents instead of floats", "We decided on cents, not floats"],
  ["Note that nothing here is tested", "Note that here nothing is tested"],
];

function cases(pairs: typeof same, isReversed: boolean): ReversalCase[] {
  return pairs.map(([older, newer]) => {
    const id = `${older} / ${newer}`;
    return { id, aside: isSetAside(id), older, newer, reversed: isReversed };
  });
}

/** All pairs. */
export const reversalCases: readonly ReversalCase[] = [
  ...cases(reversed, true),
  ...cases(same, false),
];
