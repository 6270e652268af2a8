// memoir's own features that are switched off as a whole, like any plugin (`memoir plugin disable sync`), and what goes with each: its routes, commands and agents' tools. What runs by itself asks `off` of the runtime (sync/loop.ts, plugins/generations.ts), and so do the page's views.

interface FeatureParts {
  /** Paths of its routes begin so. */
  routes: readonly string[];
  /** Words behind `memoir`. */
  commands: readonly string[];
  tools: readonly string[];
}

/** By their plugins' names. */
export const features = {
  endless: {
    routes: ["/api/recall/", "/api/endless/"],
    commands: ["endless", "recall"],
    tools: ["recall"],
  },
  sync: { routes: ["/api/sync"], commands: ["sync"], tools: [] },
  backfill: { routes: ["/api/backfill"], commands: ["backfill"], tools: [] },
} as const satisfies Record<string, FeatureParts>;

export type Feature = keyof typeof features;
export const featureNames = Object.keys(features) as Feature[];

/** The feature that a route, command or tool belongs to; undefined for what is always there. */
export function featureOf(kind: keyof FeatureParts, name: string): Feature | undefined {
  const isIn = (one: string) => (kind === "routes" ? name.startsWith(one) : name === one);
  return featureNames.find((feature) => (features[feature][kind] as readonly string[]).some(isIn));
}

/** Those that config switches off. */
export function featuresOff({ plugins }: FeatureConfig): Feature[] {
  return featureNames.filter((name) => plugins[name]?.enabled === false);
}

/** The part of config that says so. */
interface FeatureConfig {
  plugins: Readonly<Record<string, { enabled?: boolean | undefined } | undefined>>;
}
