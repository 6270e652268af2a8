// Kinds of files by their names: documents, tests, generated.

/** True for files that people read rather than run: documents and notes. */
export function isDocument(path: string): boolean {
  return /\.(?:md|mdx|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|CHANGELOG|README)/i.test(path);
}

/** True for test files by the usual names. */
export function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|specs?|e2e|integration_test)\/|[._-](?:test|spec)s?\.\w+$|_test\.\w+$|(?:^|\/)test_[^/]+\.py$/i.test(
    path,
  );
}

/** True for files nobody writes by hand: locks, maps, build output. */
export function isGenerated(path: string): boolean {
  return /(?:^|\/)(?:node_modules|dist|build|_build|target|vendor|\.next|coverage|\.claude\/plans)\/|(?:^|\/)\.claude\/settings[\w.]*\.json$|(?:lock|\.lockb|\.min\.js|\.map|\.snap)$|lock\.(?:json|yaml)$|go\.sum$/.test(
    path,
  );
}
