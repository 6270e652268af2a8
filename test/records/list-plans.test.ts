// How the database looks for the rows of a list: rare ones of a large project are not looked for among all of its rows.
import { expect, test } from "bun:test";
import type { Database } from "../../src/host/sqlite.ts";
import { listRecords } from "../../src/records/list.ts";
import { openStorage } from "../support/open-storage.ts";

/** The database's plans of what a piece of work asks it. */
function plansOf(db: Database, work: (db: Database) => void): string[] {
  const asked: string[] = [];
  const listening = new Proxy(db, {
    get(target, name, receiver) {
      if (name === "prepare")
        return (sql: string) => {
          asked.push(sql);
          return target.prepare(sql);
        };
      const value = Reflect.get(target, name, receiver);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  work(listening);
  return asked.flatMap((sql) =>
    db
      .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail),
  );
}

test.each([
  [
    "observations of a type in a project by an index over both",
    { type: "decision" },
    "USING INDEX observations_by_type (project=? AND type=?)",
  ],
  [
    "the few that are pinned by their rows",
    { marked: "pinned" as const },
    "SEARCH r USING INTEGER PRIMARY KEY",
  ],
])("%s", async (_, narrowed, plan) => {
  const db = await openStorage(":memory:");
  db.exec("INSERT INTO projects (id, name) VALUES ('p', 'p')");
  const plans = plansOf(db, (asked) =>
    listRecords(asked, "observation", { project: "p", limit: 5, ...narrowed }),
  );
  expect(plans.filter((detail) => /\br\b/.test(detail)).join("\n")).toContain(plan);
  db.close();
});
