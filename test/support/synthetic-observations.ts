// Makes any number of plausible observations from a seed: zipf-like words, identifiers, paths, projects and sessions.
import type { NewObservation, Project, Records } from "../../src/sdk/model.ts";

const verbs =
  "add fix remove rename move split cache retry parse validate render deploy migrate encrypt refresh throttle batch index merge log trace guard escape encode queue schedule mount resolve compile bundle".split(
    " ",
  );
const nouns =
  "session token user order invoice payment queue worker cache router handler schema migration database index query report widget layout theme upload image email webhook socket stream parser lexer cursor buffer config secret policy tenant account profile search filter sort page form field button modal table chart metric alert trace span plugin registry adapter client server gateway proxy tunnel cluster shard replica snapshot backup archive manifest package module bundle asset locale currency discount coupon cart checkout shipment ledger balance quota limit lock lease job cron timer event listener signal channel topic message thread comment review branch commit patch diff".split(
    " ",
  );
const glue =
  "the a of to in and is for that with on by from it when was this are not now be before after only because each into than so no all at if still which same then out over under between while without must can does has have had been".split(
    " ",
  );
const qualities =
  "stale missing duplicate slow empty invalid nested shared global local remote partial atomic pending expired unsafe optional default legacy internal public private hidden broken flaky correct".split(
    " ",
  );
const layers = ["api", "core", "db", "lib", "ui", "jobs", "auth", "billing", "search", "admin"];
const types = ["discovery", "bugfix", "feature", "refactor", "decision"] as const;
const categories =
  "authentication billing database caching testing performance security deployment frontend api-design error-handling observability".split(
    " ",
  );

export interface SyntheticOptions {
  observations: number;
  /** Default 20. The first projects get the most sessions. */
  projects?: number;
  /** Observations a session. Default 25. */
  perSession?: number;
  /** Same seed, same records. Default 1. */
  seed?: number;
  /** Epoch ms of the newest record; sessions lie one hour apart before it. Default 1 November 2026. */
  end?: number;
}

/** Yields one `storage.put`-sized set of records a session, oldest first. */
export function* syntheticSessions(options: SyntheticOptions): Generator<Records> {
  const { observations, perSession = 25, seed = 1 } = options;
  const end = options.end ?? Date.UTC(2026, 10, 1);
  const words = wordMaker(seed);
  const projects = Array.from({ length: options.projects ?? 20 }, (_, i) => syntheticProject(i));
  const sessions = Math.ceil(observations / perSession);
  for (let number = 0; number < sessions; number++) {
    const project = projects[words.zipf(projects.length)] ?? syntheticProject(0);
    const startedAt = end - (sessions - number) * 3_600_000;
    const id = `${(number * 2654435761 + seed).toString(16).padStart(8, "0").slice(-8)}-synthetic-${number}`;
    const count = Math.min(perSession, observations - number * perSession);
    yield {
      sessions: [
        {
          id,
          client: "claude-code",
          project,
          title: capital(`${words.verb()} ${words.noun()} ${words.noun()}`),
          subtitle: words.sentence(9),
          prompts: Math.ceil(count / 5),
          status: "ended",
          startedAt,
          lastActiveAt: startedAt + count * 60_000,
          endedAt: startedAt + count * 60_000,
        },
      ],
      observations: Array.from({ length: count }, (_, i) =>
        syntheticObservation(words, id, project, startedAt + i * 60_000, Math.floor(i / 5) + 1),
      ),
    };
  }
}

function syntheticProject(number: number): Project {
  const name = `${nouns[(number * 7) % nouns.length]}-${layers[number % layers.length]}-${number}`;
  return { id: `github.com/acme/${name}`, name, root: `/home/dev/${name}` };
}

function syntheticObservation(
  words: WordMaker,
  session: string,
  project: Project,
  time: number,
  promptNumber: number,
): NewObservation {
  words.newTopic();
  const files = Array.from({ length: 1 + words.below(3) }, () => words.path());
  return {
    session,
    client: "claude-code",
    project: project.id,
    promptNumber,
    time,
    type: types[words.zipf(types.length)] ?? "discovery",
    title: capital(`${words.verb()} ${words.quality()} ${words.noun()} ${words.noun()}`),
    subtitle: words.sentence(14),
    facts: Array.from(
      { length: 2 + words.below(4) },
      () => `${words.sentence(12)} in ${files[0]} through ${words.identifier()}`,
    ),
    narrative: Array.from({ length: 6 }, () => words.sentence(16)).join(". "),
    concepts: [...new Set([words.category(), words.category(), words.category()])],
    filesRead: files.slice(1),
    filesModified: files.slice(0, 1),
    toolUseIds: [`toolu_${time.toString(36)}${words.below(1e9).toString(36)}`],
    discoveryTokens: null,
    observerTokens: 0,
    provenance: { strategy: "synthetic", model: null },
  };
}

type WordMaker = ReturnType<typeof wordMaker>;

function wordMaker(seed: number) {
  let state = seed >>> 0 || 1;
  /** A xorshift generator: the same numbers on every machine. */
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(random() * limit);
  /** Low indexes are frequent, high ones rare. */
  const zipf = (limit: number) => Math.floor(limit * random() ** 1.6);
  const pick = (list: readonly string[]) => list[zipf(list.length)] ?? "";
  const draw = (list: readonly string[], count: number) =>
    Array.from({ length: count }, () => pick(list));
  let topic = { verbs, nouns, qualities };
  const identifier = () => {
    const name = `${pick(topic.verbs)}${capital(pick(topic.nouns))}`;
    return random() < 0.3 ? `${name}${capital(pick(nouns))}` : name;
  };
  const path = () =>
    `src/${pick(layers)}/${pick(topic.nouns)}/${pick(topic.verbs)}-${pick(nouns)}${below(12)}.ts`;
  const word = () => {
    const kind = random();
    if (kind < 0.42) return pick(glue);
    if (kind < 0.65) return pick(topic.nouns);
    if (kind < 0.8) return pick(topic.verbs);
    if (kind < 0.92) return pick(topic.qualities);
    if (kind < 0.97) return identifier();
    return `${nouns[below(nouns.length)]}${nouns[below(nouns.length)]}`;
  };
  return {
    below,
    zipf,
    identifier,
    path,
    /** A text keeps to a few words: call before each record. */
    newTopic: () => {
      topic = { verbs: draw(verbs, 3), nouns: draw(nouns, 6), qualities: draw(qualities, 2) };
    },
    verb: () => pick(topic.verbs),
    noun: () => pick(topic.nouns),
    quality: () => pick(topic.qualities),
    category: () => pick(categories),
    sentence: (length: number) => capital(Array.from({ length }, word).join(" ")),
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
