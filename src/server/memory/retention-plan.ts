// Which sessions memory forgets by the user's rules of age and size, the oldest first. Pure.

/** `retention.memory` of the config; 0 is for ever, or any size. */
export interface MemoryRules {
  days: number;
  bytes: number;
  /** By id or name, in which `*` stands for anything. */
  projects: Readonly<Record<string, ProjectRule>>;
}

/** Of one project; counts instead of what holds for all. */
interface ProjectRule {
  days?: number;
  bytes?: number;
}

/** What is known of a session that may go. */
export interface KeptSession {
  id: string;
  client: string;
  project: { id: string; name: string };
  /** Epoch ms. */
  lastActiveAt: number;
  /** How many prompts are remembered of it. */
  prompts: number;
}

/** A session that goes, and by what. */
export interface Outgoing extends KeptSession {
  /** The config's key. */
  rule: string;
}

const dayMs = 86_400_000;
/** No rule of size takes what went on so lately: somebody may be at it. */
const freshMs = dayMs;

/** True where nothing is ever forgotten. */
export function isForEver({ days, bytes, projects }: MemoryRules): boolean {
  const rules = Object.values(projects);
  return days === 0 && bytes === 0 && rules.every((rule) => !rule.days && !rule.bytes);
}

/** What goes at this time; `bytes` is what all of it takes. */
export function planRetention(
  sessions: readonly KeptSession[],
  rules: MemoryRules,
  { now, bytes }: { now: number; bytes: number },
): Outgoing[] {
  const oldest = [...sessions].sort(
    (a, b) => a.lastActiveAt - b.lastActiveAt || (a.id < b.id ? -1 : 1),
  );
  const going = new Map<KeptSession, string>();
  const keyOf = projectKeys(rules.projects);
  for (const session of oldest) {
    const key = keyOf(session.project);
    const own = key === undefined ? undefined : rules.projects[key]?.days;
    const days = own ?? rules.days;
    if (days > 0 && session.lastActiveAt < now - days * dayMs)
      going.set(session, own === undefined ? "days" : `projects.${key}.days`);
  }
  const each = bytes / (oldest.reduce((sum, session) => sum + weightOf(session), 0) || 1);
  const shrink = (group: readonly KeptSession[], limit: number, rule: string) => {
    const left = group.filter((session) => !going.has(session));
    let size = left.reduce((sum, session) => sum + weightOf(session) * each, 0);
    for (const session of left) {
      if (size <= limit || session.lastActiveAt > now - freshMs) break;
      going.set(session, rule);
      size -= weightOf(session) * each;
    }
  };
  const byProject = Map.groupBy(oldest, ({ project }) => project.id);
  for (const group of byProject.values()) {
    const key = group[0] && keyOf(group[0].project);
    const limit = key === undefined ? 0 : (rules.projects[key]?.bytes ?? 0);
    if (limit > 0) shrink(group, limit, `projects.${key}.bytes`);
  }
  if (rules.bytes > 0) shrink(oldest, rules.bytes, "bytes");
  return oldest.flatMap((session) => {
    const rule = going.get(session);
    return rule === undefined ? [] : [{ ...session, rule: `retention.memory.${rule}` }];
  });
}

/** A session's share of the whole: storages do not say how large one is. */
function weightOf({ prompts }: KeptSession): number {
  return prompts + 1;
}

/** The rule that is meant for a project: its id, its name, else the longest pattern that fits. */
function projectKeys(
  projects: MemoryRules["projects"],
): (project: KeptSession["project"]) => string | undefined {
  const patterns = Object.keys(projects)
    .sort((a, b) => b.length - a.length)
    .map((key) => ({ key, pattern: key.includes("*") ? patternOf(key) : undefined }));
  return ({ id, name }) =>
    patterns.find(({ key }) => key === id)?.key ??
    patterns.find(({ key }) => key === name)?.key ??
    patterns.find(({ pattern }) => pattern?.test(id) || pattern?.test(name))?.key;
}

function patternOf(key: string): RegExp {
  const parts = key.split(/\*+/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}
