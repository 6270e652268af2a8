// Files that tools write: their content is hardly ever needed word for word.

const names =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|mix\.lock|flake\.lock|pubspec\.lock|Package\.resolved|packages\.lock\.json)$/;
const forms =
  /\.(?:min\.(?:js|css|mjs)|bundle\.js|map|snap|pb\.go|pb2?\.py|_pb\.d\.ts|g\.dart|designer\.cs)$|(?:^|\/)(?:dist|node_modules|vendor|__snapshots__|\.next|build\/assets)\//;

/** True for lock files, bundles, source maps, snapshots and what lies in a folder of built or fetched files. */
export function isGenerated(path: string): boolean {
  return names.test(path) || forms.test(path);
}
