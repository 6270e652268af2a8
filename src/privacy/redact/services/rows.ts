// Reads the tables of tokens: one row a token, as people write it down.
import { once } from "../once.ts";
import { marked, type Rule } from "../rule.ts";

/** A token that begins with something no word begins with. */
export interface ServiceRule extends Rule {
  kind: string;
  /** Literal beginnings, in the case they are written in. */
  prefixes: readonly string[];
  /** Matches the whole token from its beginning on; sticky. */
  shape: RegExp;
}

const uuid = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}";
const uuidTemplate = "{h8}-{h4}-{h4}-{h4}-{h12}";

/**
 * The rules of a table. A row begins at the left and goes on in lines that are indented; two blanks or a line's end part
 * its cells:
 * - the rule's id, behind a colon the kind where that is another;
 * - what the token begins with, each beginning literally;
 * - its whole shape, an expression in which `{uuid}` stands for a UUID;
 * - examples that go, parted by ` | `, as `Rule.gone` has them, but with < and > around the secret: the bundler writes
 *   other signs than ASCII as escapes, which in a raw text would stay;
 * - one that stays, as `Rule.stay`;
 * - for who reads the table: `g` where the published rules of gitleaks have such a form, `t` where those of trufflehog have it.
 *   The others come from what their makers write and from general knowledge.
 */
export function readRows(table: string): ServiceRule[] {
  return table
    .trim()
    .split(/\n(?=\S)/)
    .map(readRow);
}

const parting = /\n? {2,}/;

function readRow(row: string): ServiceRule {
  // No more of it is read than a start needs: a hook that spools has only its own texts to look at.
  const [name = "", prefixes = ""] = row.split(parting, 2);
  const [id = "", kind = id] = name.split(":");
  const cells = once(() => row.split(parting));
  const shape = once(() => new RegExp(cells()[2]?.replaceAll("{uuid}", uuid) ?? "", "y"));
  return {
    ...{ id, kind, prefixes: prefixes.split(" ") },
    get shape() {
      return shape();
    },
    get finds() {
      return `${id.replaceAll("-", " ")}, by its beginning ${prefixes.split(" ")[0]}`;
    },
    get gone() {
      return marked(cells()[3]?.replaceAll("{uuid}", uuidTemplate) ?? "").split(" | ");
    },
    get stay() {
      return [cells()[4] ?? ""];
    },
  };
}
