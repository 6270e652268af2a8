// What the second look is made of: shapes, numbers, lists of JSON, plans, and commands that print files.
import { describe, expect, test } from "bun:test";
import {
  codesOf,
  createStretches,
  shapeIn,
  shapeOf,
} from "../../../../plugins/endless-live/look/codes.ts";
import { countThings, numberOf, outliers } from "../../../../plugins/endless-live/look/columns.ts";
import { columnsOfLines, readWords } from "../../../../plugins/endless-live/look/features.ts";
import { printsFiles } from "../../../../plugins/endless-live/reduce/bash.ts";
import { lookAtList } from "../../../../plugins/endless-live/text/json.ts";
import { plannedRows } from "../../../../plugins/endless-live/text/log.ts";
import { rowsOf } from "../../../../plugins/endless-live/text/rows.ts";

test.each([
  ["ok 614 - The cart keeps its totals", "ok 7 - возврат"],
  ["app-1  | 09:12:44 src/a/b.ts:3:4", "db-12  | 10:00:01 lib/c.ts:99:1"],
  ["  WARN took 3ms", "  INFO took 4412ms"],
  ['name: "a b c"', 'name: "x"'],
])("%j and %j are of one shape", (one, other) => {
  expect(shapeOf(one)).toBe(shapeOf(other));
});

test.each([
  ["ok 614 - The cart", "not ok 614: The cart"],
  ["build a", "  build a"],
  ["said no", "said NONE"],
  ["checking x... yes", "checking x... no (cached)"],
])("%j and %j are not", (one, other) => {
  expect(shapeOf(one)).not.toBe(shapeOf(other));
});

test("words are read in any script, those without spaces by pairs", () => {
  const read = (line: string) => {
    const all = codesOf([line], 600);
    const small = new Uint16Array(line.length);
    const found = { words: [] as string[], signs: "" };
    readWords(all, small, [0, line.length], {
      word: (from, to) => found.words.push(String.fromCharCode(...small.subarray(from, to))),
      sign: (code) => (found.signs += String.fromCharCode(code)),
    });
    return found;
  };
  expect(read("Die Straße: 库存同步 ok42").words).toEqual([
    "die",
    "straße",
    "库存",
    "存同",
    "同步",
  ]);
  expect(read("ストーブ ひらがな").words).toEqual([
    ...["スト", "トー", "ーブ", "ひら", "らが", "がな"],
  ]);
  expect(read("a [b] → c").signs).toBe("[]→");
});

test("the shape of a line is that of its beginning, alone and among others", () => {
  const line = `${"word ".repeat(30)}"${"x ".repeat(60)}" end`;
  const all = codesOf(["before", line, "behind"], 600);
  const [, from = 0, to = 0] = all.starts;
  expect(shapeIn(all, from, to)).toBe(shapeOf(line));
  expect(shapeOf(`${line} and 7 more`)).toBe(shapeOf(line));
});

test("things are counted by how many have them, however often", () => {
  const starts = Uint32Array.from([0, 3, 3, 5]);
  expect([...countThings({ all: [0, 1, 0, 1, 2], starts, kinds: 4 })]).toEqual([1, 2, 1, 0]);
});

describe("columns", () => {
  const columns = (lines: readonly string[]) => {
    const all = codesOf(lines, 600);
    const cells = createStretches(all.codes, all.text);
    return columnsOfLines(lines, all, cells).map(({ rows, values, isKey }) => ({
      cells: values.map((value, at) => `${rows[at]} ${cells.text(value)}`),
      isKey,
    }));
  };

  test("of lines that spaces part are counted from both sides; keys have their own", () => {
    expect(columns(["a  b=1", "c"]).map(({ cells }) => cells)).toEqual([
      ["0 a", "1 c"],
      ["0 b=1"],
      ["0 b=1", "1 c"],
      ["0 a"],
      ["0 1"],
    ]);
    expect(columns(["a b=1", "c"]).map(({ isKey }) => isKey)).toEqual([
      ...[false, false, false, false, true],
    ]);
  });

  test("of a table are parted by what most lines have equally often, and may be empty", () => {
    const lines = ["name | kind |  ", " till |  | 7", "hall | b | 8"];
    expect(columns(lines).map(({ cells }) => cells)).toEqual([
      ["0 name", "1 till", "2 hall"],
      ["0 kind", "1 ", "2 b"],
      ["0 ", "1 7", "2 8"],
    ]);
  });
});

test.each([
  ["12", 12],
  ["-3", -3],
  ["1,204", 1_204],
  ["48%", 48],
  ["1.5GB", 1.5e9],
  ["(12ms)", 0.012],
  ["v1.2.3", undefined],
  ["2026-03-02", undefined],
  ["", undefined],
])("%j is %p", (text, number) => {
  expect(numberOf(text)).toBe(number);
});

test("numbers that lie apart are few, and far", () => {
  const usual = Array.from({ length: 60 }, (_, at) => 100 + ((at * 7) % 40));
  expect(outliers(usual)).toEqual([]);
  expect(outliers([...usual, 48_210])).toEqual([60]);
  expect(outliers([...usual, -3])).toEqual([60]);
  expect(outliers(usual.map((_, at) => at * 17))).toEqual([]);
});

test("of a list of items those that depart are named, and how each field is spread", () => {
  const jobs = Array.from({ length: 90 }, (_, id) => ({ id, state: "done", ms: 5 + (id % 9) }));
  const all = jobs
    .with(40, { id: 40, state: "parked", ms: 7 })
    .with(70, { id: 70, state: "done", ms: 9_421 });
  expect(lookAtList(all, 5)).toEqual({
    telling: [40, 70],
    spread: "id: 0 to 89; state: done ×89, parked ×1; ms: 5 to 9421",
  });
  expect(lookAtList(jobs, 5).telling).toEqual([]);
});

test("a plan keeps what goes by name, whatever the number, then what is changed", () => {
  const plan = [
    ...Array.from({ length: 60 }, (_, at) => `  # aws_instance.web[${at}] will be created`),
    ...Array.from({ length: 20 }, (_, at) => `  # aws_instance.old[${at}] will be destroyed`),
    ...["  # aws_db.ledger must be replaced", "  # aws_db.till will be updated in-place"],
    ...[" -   ├─ aws:rds:Instance  archive  delete", "changed: [web09]", "ok: [web10]"],
  ];
  const kept = [...plannedRows(rowsOf(plan.join("\n")))];
  expect(kept).toEqual([...Array.from({ length: 21 }, (_, at) => 61 + at), 83, 82, 84]);
});

describe("a command that prints a file", () => {
  test.each([
    ...["cat a.ts", "sed -n 1,80p a.ts", "cd x && head -50 a.ts | grep -v y", "sudo cat /etc/x"],
    ...["ssh -p 22 live-01 'cat /etc/app.ini'", "docker exec -it app cat /app/a.ini"],
    ...["docker compose exec -T app cat a.ini", "kubectl -n shop exec deploy/till -- cat a.ini"],
    ...['bash -lc "cat a.ts"', "LANG=C cat a.ts", "find src -name '*.py' | xargs cat"],
    ...["git show HEAD:src/a.ts", "git cat-file -p HEAD:a.ts", "grep '' a.ts", "tac a.log"],
    ...[`python3 -c "print(open('a.py').read())"`, `ruby -e "puts File.read('a.rb')"`],
    ...[`node -p "require('fs').readFileSync('a.js','utf8')"`, "time sed -n '1,9p' 'a b.ts'"],
  ])("%s", (command) => {
    expect(printsFiles(command)).toBe(true);
  });

  test.each([
    ...["cat a.json | jq .", "cat <<EOF > a.ts", "cat a > b", "npm test | cat", "git show HEAD"],
    ...["ssh live-01 uptime", "docker exec app npm test", "python3 a.py", "grep -rn 'x y' src"],
    ...["echo 'cat a.ts'", "kubectl get pods", "xargs rm < a", ""],
  ])("not %s", (command) => {
    expect(printsFiles(command)).toBe(false);
  });
});
