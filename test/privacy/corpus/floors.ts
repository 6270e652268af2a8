// What redaction reaches of the third corpus and of the wider forms: to be raised with the rules, never lowered.

/** Percent that went right in all channels together: of the development part, of the part set aside, where there is one still. */
type Reached = Readonly<Record<string, readonly [dev: number, aside?: number]>>;

/** Secrets taken out or look-alikes left alone, by family. */
export const reachedByFamily: Reached = {
  "third corpus: formats of gitleaks": [100],
  "third corpus: formats of trufflehog": [100],
  "third corpus: formats of other sets": [100],
  "third corpus: values with signs": [99.8],
  "third corpus: code": [100],
  "third corpus: logs": [100],
  "third corpus: wrapped keys": [100],
  "third corpus: encodings": [99.5],
  "third corpus: private passages": [100],
  "third corpus: settings": [100],
  "third corpus: commands": [100],
  "third corpus: infrastructure": [99.7],
  "third corpus: hashes and ids": [100],
  "third corpus: placeholders": [100],
  "third corpus: public things": [100],
  "third corpus: code about secrets": [100],
  "third corpus: prose and lock files": [100],
  "wider: values with signs": [97, 93.3],
  "wider: code": [100, 91.6],
  "wider: logs": [100, 91.9],
  "wider: places": [92.3, 96.9],
  "wider: drawn again": [96.5],
  "wider: formats, drawn again": [97.3],
  "wider: names in other languages": [100, 100],
  "wider: services alone": [100, 100],
  "wider: owners that no list names": [100, 88.8],
  "wider: values like code": [100, 90.6],
  "wider: published tokens": [100, 100],
  "wider: odd places": [100, 100],
  "wider: published names": [98.7, 100],
  "wider: sent along": [100, 100],
  "wider: look-alikes": [100, 100],
  "wider: look-alikes of what is sent along": [100, 100],
  "wider: letters alone": [100, 100],
  "wider: names said": [100, 100],
  "wider: lists and cells": [100, 100],
  "wider: lines behind a prefix": [100, 100],
  "wider: look-alikes, again": [100, 80],
  "wider: said at the end": [100, 83.3],
};

/** Secrets taken out, by the way on which they came. */
export const reachedByChannel: Reached = {
  prompt: [98.9, 96.4],
  "Bash command": [98.9, 96.4],
  "Bash output": [98.9, 96.4],
  Read: [98.9, 96.4],
  Edit: [98.8, 95.1],
  Write: [98.9, 96.4],
  "MCP result": [98.8, 96],
  transcript: [98.9, 96],
};

/** The look-alikes of the development part out of which something is taken still. */
export const openAlarms: readonly string[] = [];
