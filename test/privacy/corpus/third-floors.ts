// What redaction reaches of the third corpus: to be raised with the rules, never lowered.

/** Percent that went right in all channels together: of the development part, of the part set aside. */
type Reached = Readonly<Record<string, readonly [dev: number, aside: number]>>;

/** Secrets taken out or look-alikes left alone, by family. */
export const reachedByFamily: Reached = {
  "third corpus: formats of gitleaks": [100, 96],
  "third corpus: formats of trufflehog": [97.6, 100],
  "third corpus: formats of other sets": [100, 85.7],
  "third corpus: values with signs": [100, 89.4],
  "third corpus: code": [100, 87.5],
  "third corpus: logs": [99.4, 92.3],
  "third corpus: wrapped keys": [100, 100],
  "third corpus: encodings": [99.1, 100],
  "third corpus: private passages": [100, 100],
  "third corpus: settings": [99.7, 84.2],
  "third corpus: commands": [100, 87.5],
  "third corpus: infrastructure": [100, 73.3],
  "third corpus: hashes and ids": [100, 100],
  "third corpus: placeholders": [100, 88.8],
  "third corpus: public things": [100, 100],
  "third corpus: code about secrets": [100, 100],
  "third corpus: prose and lock files": [100, 100],
};

/** Secrets taken out, by the way on which they came. */
export const reachedByChannel: Reached = {
  prompt: [99.7, 91.3],
  "Bash command": [99.7, 91.3],
  "Bash output": [99.7, 91.3],
  Read: [99.7, 91.3],
  Edit: [99.2, 91.3],
  Write: [99.7, 91.3],
  "MCP result": [99.4, 91.9],
  transcript: [99.7, 91.3],
};

/** The look-alikes of the development part out of which something is taken still. */
export const openAlarms: readonly string[] = [];
