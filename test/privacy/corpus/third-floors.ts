// What redaction reaches of the third corpus: to be raised with the rules, never lowered.

/** Percent that went right in all channels together: of the development part, of the part set aside. */
type Reached = Readonly<Record<string, readonly [dev: number, aside: number]>>;

/** Secrets taken out or look-alikes left alone, by family. */
export const reachedByFamily: Reached = {
  "third corpus: formats of gitleaks": [100, 96],
  "third corpus: formats of trufflehog": [97.6, 100],
  "third corpus: formats of other sets": [100, 85.7],
  "third corpus: values with signs": [100, 84.2],
  "third corpus: code": [100, 80.8],
  "third corpus: logs": [99.4, 92.3],
  "third corpus: wrapped keys": [100, 100],
  "third corpus: encodings": [99.1, 100],
  "third corpus: private passages": [100, 100],
  "third corpus: settings": [99.7, 78.9],
  "third corpus: commands": [100, 81.2],
  "third corpus: infrastructure": [100, 73.3],
  "third corpus: hashes and ids": [100, 100],
  "third corpus: placeholders": [100, 88.8],
  "third corpus: public things": [100, 100],
  "third corpus: code about secrets": [100, 100],
  "third corpus: prose and lock files": [100, 100],
};

/** Secrets taken out, by the way on which they came. */
export const reachedByChannel: Reached = {
  prompt: [99.7, 89.2],
  "Bash command": [99.7, 89.2],
  "Bash output": [99.7, 89.2],
  Read: [99.7, 89.2],
  Edit: [99.2, 89.2],
  Write: [99.7, 89.2],
  "MCP result": [99.4, 89.7],
  transcript: [99.7, 89.2],
};

/** The look-alikes of the development part out of which something is taken still. */
export const openAlarms: readonly string[] = [];
