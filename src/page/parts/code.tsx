// Code: colored by a library that gives a tree, and a diff line by line. Also sentences of memoir's own with commands between backticks.
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { asShown } from "../words.ts";

const languages = { bash, c, css, go, java, json, python, rust, sql, typescript, xml, yaml };
const lowlight = createLowlight(languages);
lowlight.registerAlias({
  typescript: ["javascript", "js", "jsx", "ts", "tsx", "mjs"],
  c: ["cpp", "c++"],
});

/** More is not colored: it takes longer than anybody waits. */
const mostColored = 8_000;

/** A block of code; a diff where it is one, whatever it calls itself. */
export function CodeBlock({ text, language = "" }: { text: string; language?: string }) {
  const shown = asShown(text);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <pre class="code" tabIndex={0}>
      {isDiff(shown, language) ? <Diff text={shown} /> : <Colored {...{ text: shown, language }} />}
    </pre>
  );
}

function Colored({ text, language }: { text: string; language: string }) {
  const name = language.split(/[\s,:{]/)[0]?.toLowerCase() ?? "";
  const tree = useMemo(
    () =>
      text.length <= mostColored && lowlight.registered(name)
        ? lowlight.highlight(name, text).children
        : undefined,
    [text, name],
  );
  return <code>{tree ? tree.map(drawn) : text}</code>;
}

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

function drawn(node: Node, at: number): ComponentChildren {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return null;
  return (
    <span key={at} class={[node.properties.className].flat().join(" ")}>
      {(node.children as Node[]).map(drawn)}
    </span>
  );
}

/** Named as one, or with the heads that every unified diff has. */
const isDiff = (text: string, language: string) =>
  /^(diff|patch)\b/.test(language) || /^(diff --git |@@ -\d)/m.test(text);

function Diff({ text }: { text: string }) {
  return (
    <code>
      {text.split("\n").map((line, at) => {
        const isHead = /^(\+\+\+|---|@@|diff |index )/.test(line);
        if (isHead) return <span key={at} class="diff-head">{`${line}\n`}</span>;
        if (line.startsWith("+")) return <ins key={at}>{`${line}\n`}</ins>;
        if (line.startsWith("-")) return <del key={at}>{`${line}\n`}</del>;
        return `${line}\n`;
      })}
    </code>
  );
}

/** A sentence; what stands between backticks is shown as code. */
export function WithCode({ text }: { text: string }) {
  const parts = asShown(text).split("`");
  return (
    <bdi class="said" dir="auto">
      {parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}
    </bdi>
  );
}
