// How many secrets of the made-up corpus are taken out, and how many look-alikes are left alone, by family and channel.
import { type SecretCase, secretCases } from "../../privacy/corpus/cases.ts";
import type { Judged } from "../../privacy/corpus/measure.ts";
import { runningServer, shuffled } from "../../privacy/corpus/running-server.ts";
import { type Figure, figure, share } from "./report.ts";

const isSecret = ({ case: { secrets } }: Judged): boolean => secrets.length > 0;
const isAside = ({ case: { aside } }: Judged): boolean => aside;
const right = share<Judged>(({ wrong }) => wrong === undefined);

/**
 * The second and the third corpus were written by people who had not seen the rules; the rarer forms by who wrote the rules,
 * before they knew them.
 */
const corpusOf = ({ case: { family } }: Judged): string =>
  /^(?:second corpus|third corpus|rarer)/.exec(family)?.[0] ?? "first corpus";

/** A share for each family and each channel, then for each corpus. */
export function secretFigures(judged: readonly Judged[]): Figure[] {
  const group = (part: string, by: (one: Judged) => string, of: readonly Judged[]): Figure[] =>
    [...Map.groupBy(of, by)].map(([name, ones]) => figure(part, name, ones, isAside, right));
  const secrets = judged.filter(isSecret);
  const others = judged.filter((one) => !isSecret(one));
  return [
    ...group("secrets taken out", ({ case: { family } }) => family, secrets),
    ...group("secrets taken out, by channel", ({ channel }) => channel, secrets),
    ...group("secrets taken out, in all", corpusOf, secrets),
    ...group("look-alikes left alone", ({ case: { family } }) => family, others),
    ...group("look-alikes left alone, in all", corpusOf, others),
  ];
}

/** The share of all cases of which one running server keeps what redaction leaves of each alone, in three orders. */
export async function serverFigures(): Promise<Figure[]> {
  const server = await runningServer();
  const figures: Figure[] = [];
  const all = secretCases().filter(({ family }) => !family.endsWith("private passages"));
  for (const seed of ["first", "second", "third"]) {
    const other = new Set(await server.keptOtherwise(shuffled(all, seed), seed));
    const isSame = share<SecretCase>((one) => !other.has(one));
    const name = `the ${seed} shuffled order`;
    figures.push(
      figure("as alone, through a running server", name, all, ({ aside }) => aside, isSame),
    );
  }
  await server.end();
  return figures;
}

/** The development cases that went wrong, each once with its channels. */
export function secretMisses(judged: readonly Judged[]): string[] {
  const wrong = judged.filter((one) => !isAside(one) && one.wrong !== undefined);
  return [...Map.groupBy(wrong, ({ case: { id } }) => id)].map(([id, ones]) => {
    const channels = ones.map(({ channel }) => channel).join(", ");
    return `${id} (${channels}): ${JSON.stringify(ones[0]?.wrong)} of ${JSON.stringify(ones[0]?.case.text.slice(0, 160))}`;
  });
}
