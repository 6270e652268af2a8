// What redaction reaches of the third corpus: to be raised with the rules, never lowered.

/** Percent that went right in all channels together: of the development part, of the part set aside. */
type Reached = Readonly<Record<string, readonly [dev: number, aside: number]>>;

/** Secrets taken out or look-alikes left alone, by family. */
export const reachedByFamily: Reached = {
  "third corpus: formats of gitleaks": [96.6, 96],
  "third corpus: formats of trufflehog": [83.3, 88.2],
  "third corpus: formats of other sets": [90.4, 85.7],
  "third corpus: values with signs": [85.1, 78.9],
  "third corpus: code": [63.6, 80.8],
  "third corpus: logs": [90.9, 92.3],
  "third corpus: wrapped keys": [100, 90.9],
  "third corpus: encodings": [86.6, 90],
  "third corpus: private passages": [100, 100],
  "third corpus: settings": [74.7, 57.8],
  "third corpus: commands": [80.4, 68.7],
  "third corpus: infrastructure": [82.6, 66.6],
  "third corpus: hashes and ids": [93.9, 100],
  "third corpus: placeholders": [96.1, 88.8],
  "third corpus: public things": [94.7, 100],
  "third corpus: code about secrets": [100, 100],
  "third corpus: prose and lock files": [100, 100],
};

/** Secrets taken out, by the way on which they came. */
export const reachedByChannel: Reached = {
  prompt: [84.8, 81.7],
  "Bash command": [84.8, 81.7],
  "Bash output": [84.8, 81.7],
  Read: [84.8, 81.7],
  Edit: [84.6, 81.7],
  Write: [84.8, 81.7],
  "MCP result": [84.6, 82.2],
  transcript: [84.6, 81.7],
};

/** The look-alikes of the development part out of which something is taken still. */
export const openAlarms: readonly string[] = [
  "third corpus: hashes and ids/twilio sids",
  "third corpus: hashes and ids/cache key",
  "third corpus: placeholders/ellipsis",
  "third corpus: public things/totp address of an example",
];
