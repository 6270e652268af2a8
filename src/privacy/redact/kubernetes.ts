// The values of the Secrets of Kubernetes, whatever they look like.
import { matchAt } from "../../text/sticky.ts";
import type { Found } from "./rule.ts";

/** The rule by which they go. */
export const kubernetesRule = {
  id: "kubernetes-secret",
  finds: "the values below `data` and `stringData` of a Kubernetes Secret",
  words: ["kind:"],
  source: 2,
};

const head = /\bkind: ?["']?Secret\b/;
const start = /(?:^|\n)[^\n\w]{0,24}(?:\d{1,6}[→\t:|])?[ \t+]{0,16}(?:data|stringData):[ \t]*\n/g;
const entry =
  /([^\n\w]{0,24}(?:\d{1,6}[→\t:|])?[ \t+]{1,24}["']?[\w.-]{1,100}["']?:[ \t]+["']?)([^\s"'{|>][^\s"']{3,8000})["']?[ \t]*\n?/y;

/** The same in one line: `data: {user: YWRh, password: …}`. */
const inline =
  /(?:^|\n)[^\n\w]{0,24}(?:\d{1,6}[→\t:|])?[ \t+]{0,16}(?:data|stringData): ?\{([^{}\n]{4,4000})\}/g;
const member = /[\w.-]{1,100}["']?: ?["']?([^\s"',{}]{4,4000})/g;

/** Every value of every Secret in a text. */
export function findKubernetesSecrets(text: string): Found[] {
  if (!head.test(text)) return [];
  const found: Found[] = [];
  const add = (value: string, end: number): void => {
    if (!value.startsWith("[redacted:"))
      found.push({ start: end - value.length, end, kind: "secret", rule: kubernetesRule.id });
  };
  for (const { index, 0: line } of text.matchAll(start)) {
    let at = index + line.length;
    for (let hit = matchAt(entry, text, at); hit; hit = matchAt(entry, text, at)) {
      const [whole, before = "", value = ""] = hit;
      add(value, at + before.length + value.length);
      at += whole.length;
    }
  }
  for (const { index, 0: whole, 1: members = "" } of text.matchAll(inline))
    for (const hit of members.matchAll(member))
      add(hit[1] ?? "", index + whole.length - 1 - members.length + hit.index + hit[0].length);
  return found;
}
