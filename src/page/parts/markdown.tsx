// Words of a person or an agent: Markdown read by a library into tokens, and drawn as elements. Nothing in it becomes HTML or leads elsewhere.
import { Lexer, type Token, type Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { asShown, counted } from "../words.ts";
import { CodeBlock } from "./code.tsx";

/** Characters that are read and drawn at once. */
const mostAtOnce = 6_000;

/** The text; a long one is cut until somebody asks for the rest. */
export function Markdown({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > mostAtOnce;
  const tokens = useMemo(
    () => Lexer.lex(asShown(isLong && !isWhole ? text.slice(0, mostAtOnce) : text)),
    [text, isWhole],
  );
  return (
    <div class="prose" dir="auto">
      <Blocks tokens={tokens} />
      {isLong && !isWhole && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {counted(text.length, "character")}
        </button>
      )}
    </div>
  );
}

const Blocks = ({ tokens }: { tokens: readonly Token[] }) =>
  tokens.map((token, at) => <Block key={at} token={token as Tokens.Generic} />);

function Block({ token }: { token: Tokens.Generic }) {
  const inner = () => <Inline tokens={token.tokens ?? []} />;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return <p class="prose-heading">{inner()}</p>;
    case "paragraph":
      return <p>{inner()}</p>;
    case "code":
      return <CodeBlock text={token.text} language={token.lang} />;
    case "blockquote":
      return (
        <blockquote>
          <Blocks tokens={token.tokens ?? []} />
        </blockquote>
      );
    case "list":
      return <List list={token as Tokens.List} />;
    case "table":
      return <Table table={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "text":
      return token.tokens ? inner() : token.text;
    default:
      return <p>{token.raw}</p>;
  }
}

function List({ list: { ordered, start, items } }: { list: Tokens.List }) {
  const drawn = items.map((item, at) => (
    <li key={at}>
      {item.task && (item.checked ? "☑ " : "☐ ")}
      <Blocks tokens={item.tokens.filter(({ type }) => type !== "checkbox")} />
    </li>
  ));
  return ordered ? <ol start={Number(start) || 1}>{drawn}</ol> : <ul>{drawn}</ul>;
}

function Table({ table: { header, rows } }: { table: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <div class="scrolls" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }, at) => (
              <th key={at} scope="col">
                <Inline tokens={tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map(({ tokens }, at) => (
                <td key={at}>
                  <Inline tokens={tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Inline = ({ tokens }: { tokens: readonly Token[] }) =>
  tokens.map((token, at) => <Span key={at} token={token as Tokens.Generic} />);

function Span({ token }: { token: Tokens.Generic }): ComponentChildren {
  const inner = () => <Inline tokens={token.tokens ?? []} />;
  switch (token.type) {
    case "strong":
      return <strong>{inner()}</strong>;
    case "em":
      return <em>{inner()}</em>;
    case "del":
      return <s>{inner()}</s>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "text":
    case "escape":
      return token.tokens ? inner() : token.type === "text" ? token.raw : token.text;
    case "link":
      // Memory may hold anybody's text: where a link leads is shown, and nothing here leads there.
      return token.text === token.href ? (
        token.raw
      ) : (
        <>
          {inner()} <code>{token.href}</code>
        </>
      );
    default:
      return token.raw;
  }
}
