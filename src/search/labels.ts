// Labels: what filters look for, kept in the index beside the words. They begin with "=", which no word does.

const mark = "=";

export const typeLabel = (type: string): string => `${mark}type:${type}`;
export const clientLabel = (client: string): string => `${mark}client:${client}`;
/** Concepts compare without case. */
export const conceptLabel = (concept: string): string =>
  `${mark}concept:${concept.normalize("NFKC").toLowerCase()}`;

const filePrefix = `${mark}file:`;
const separator = "\u0001";

/** The name comes first, so that all files of one name stand together. */
export function fileLabel(path: string): string {
  const clean = slashed(path);
  return `${filePrefix}${baseName(clean)}${separator}${clean}`;
}

/** The path that a file's label stands for. */
export function pathOf(label: string): string {
  return label.slice(label.indexOf(separator) + 1);
}

/** What the labels of all files begin with, or of those of one name. */
export function fileLabels(name?: string): string {
  return name === undefined ? filePrefix : `${filePrefix}${name}${separator}`;
}

/** True when `asked` names the file `path`: the whole of it, the end of it, or a folder above it. */
export function isFile(path: string, asked: string): boolean {
  const wanted = slashed(asked);
  const folder = wanted.replace(/\/+$/, "");
  if (folder === "") return false;
  const isFolderOnly = wanted.endsWith("/");
  return (
    (!isFolderOnly && (path === wanted || path.endsWith(`/${wanted}`))) ||
    path.startsWith(`${folder}/`) ||
    path.includes(folder.startsWith("/") ? `${folder}/` : `/${folder}/`)
  );
}

/** One notation of a path. */
export function slashed(path: string): string {
  return path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
}

/** The last part of a path in one notation. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
