import { expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase, perState } from "../../src/host/sqlite.ts";
import { inFolder } from "../support/in-folder.ts";

test("asked once for each state of a database, whoever wrote to it", () =>
  inFolder(async (folder) => {
    const path = join(folder, "a.db");
    const [db, other] = [await openDatabase(path, {}), await openDatabase(path, {})];
    db.exec("CREATE TABLE a (n)");
    let asked = 0;
    const count = perState((of) => {
      asked++;
      return of.prepare<{ n: number }>("SELECT count(*) AS n FROM a").get()?.n;
    });
    const both = () => [count(db), count(other)];
    expect([...both(), ...both(), asked]).toEqual([0, 0, 0, 0, 2]);
    db.exec("INSERT INTO a VALUES (1)");
    expect([...both(), ...both(), asked]).toEqual([1, 1, 1, 1, 4]);
    other.exec("INSERT INTO a VALUES (2)");
    expect([...both(), ...both(), asked]).toEqual([2, 2, 2, 2, 6]);
    db.close();
    other.close();
  }));
