// Code as it is shown: a diff line by line, everything else as text that is coloured at most.
import { expect, test } from "bun:test";
import { CodeBlock } from "../../src/page/parts/code.tsx";
import { drawn } from "../support/small-document.ts";

const patch = ["@@ -1,2 +1,2 @@", " till", "-open", "+closed", ""].join("\n");

/** All that is shown, and of a diff what each of its lines is. */
function shown(text: string, language = "") {
  const { root, end } = drawn(<CodeBlock text={text} language={language} />);
  const of = (name: string) => root.all(name).map(({ textContent }) => textContent);
  const found = { text: root.textContent, heads: of("span"), added: of("ins"), gone: of("del") };
  end();
  return found;
}

test.each(["", "diff", "ts"])("a diff that calls itself %p is shown line by line", (name) => {
  const heads = ["@@ -1,2 +1,2 @@\n"];
  expect(shown(patch, name)).toEqual({
    ...{ text: `${patch}\n`, heads, added: ["+closed\n"], gone: ["-open\n"] },
  });
});

test("code of a known language is coloured, of another it is shown as it is, and neither is a diff", () => {
  const code = "-const open = 1;\n+f(open)";
  const colored = shown(code, "ts");
  expect(colored.heads).toEqual(["const", "1", "f"]);
  expect(shown(code, "cobol").heads).toEqual([]);
  for (const one of [colored, shown(code, "cobol")])
    expect(one).toMatchObject({ text: code, added: [], gone: [] });
});
