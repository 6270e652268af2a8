// Where one is, and of which project, is what the first column says of it.
import { expect, test } from "bun:test";
import { Nav } from "../../src/page/parts/nav.tsx";
import { KnownProjects } from "../../src/page/projects.ts";
import { drawn } from "../support/small-document.ts";

const projects = ["shop", "till"].map((name, at) => ({
  ...{ id: `/h/${name}`, name, ids: [], folders: [], sessions: at + 2 },
  ...{ lastActiveAt: 1_000, title: "" },
}));

const places = ["memory", "context", "savings", "settings"];

/** What is marked as where one is, with where each link leads. */
function marked(path: string) {
  const { root, end } = drawn(
    <KnownProjects.Provider value={projects as never}>
      <Nav address={new URL(path, "http://memoir")} places={places} />
    </KnownProjects.Provider>,
  );
  const links = root.all("a").map(({ attributes, textContent }) => ({
    is: attributes.get("aria-current"),
    to: attributes.get("href"),
    text: textContent,
  }));
  end();
  return links.filter(({ is }) => is !== undefined);
}

test.each([
  ["/memory", ["page /memory Memory", "true /memory All5"]],
  ["/session/s1", ["page /memory Memory", "true /memory All5"]],
  [
    "/savings?project=%2Fh%2Ftill",
    [
      "page /savings?project=%2Fh%2Ftill Savings",
      "true /savings?project=%2Fh%2Ftill till, 3 sessions",
    ],
  ],
  ["/settings/keys", ["page /settings Settings", "true /memory All5"]],
  ["/nowhere", ["true /memory All5"]],
])("%s", (path, expected) => {
  expect(marked(path).map(({ is, to, text }) => `${is} ${to} ${text}`)).toEqual(expected);
});
