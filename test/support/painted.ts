// Colours as words, so that a golden file shows what is painted how.

const names: Readonly<Record<string, string>> = {
  ...{ 1: "bold", 2: "dim", 31: "red", 32: "green", 33: "yellow", 36: "cyan", 35: "magenta" },
  ...{ 34: "blue", 4: "underline" },
};

/** `\u001b[31mred\u001b[39m` as `<red:red>`; an end closes what was opened last. */
export function painted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is named
  return text.replace(/\u001b\[(\d+)m/g, (_, code: string) =>
    names[code] === undefined ? ">" : `<${names[code]}:`,
  );
}
