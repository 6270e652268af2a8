// Ways of saying a secret that went unseen, by class (corpus/texts/classes.txt): in every channel what must go does, and what looks like it stays.
import { describe, expect, test } from "bun:test";
import { redactDeep } from "../../src/privacy/redact.ts";
import { casesOf } from "./corpus/cases.ts";
import { fake } from "./corpus/fake.ts";
import { judgeSecrets } from "./corpus/measure.ts";
import classes from "./corpus/texts/classes.txt" with { type: "text" };

for (const [family, cases] of Map.groupBy(casesOf(classes), ([name]) => name))
  describe(family, () => {
    test.each(cases)("%s: %s: %j", (_, name, template) => {
      const faked = fake(template, family);
      expect(faked.secrets.length > 0).toBe(name.startsWith("goes"));
      const judged = judgeSecrets([{ ...faked, id: template, family: "classes", aside: false }]);
      expect(judged.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
    });
  });

test("a file of one word goes by what the file is called", () => {
  const { text } = fake("{h32}", "master.key");
  const read = (filePath: string, content: string): unknown =>
    redactDeep({ type: "text", file: { filePath, content } }).value;
  expect(JSON.stringify(read("/srv/shop/config/master.key", `${text}\n`))).not.toContain(text);
  expect(JSON.stringify(read("C:\\shop\\master.key", text))).not.toContain(text);
  for (const path of ["/srv/shop/revision", "/srv/shop/token.ts", "/srv/shop/master.key.md"])
    expect(read(path, text)).toEqual({ type: "text", file: { filePath: path, content: text } });
});
