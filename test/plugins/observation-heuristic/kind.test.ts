// What kind of work it was: by what happened, and by words where something was changed, in each language that is known.

import { describe, expect, test } from "bun:test";
import { type Happened, kindOf } from "../../../plugins/observation-heuristic/kind.ts";
import type { Evidence } from "../../../src/sdk/turn.ts";
import { sampleTurn } from "../../../src/testing/samples.ts";

const happened = (part: Partial<Happened> = {}): Happened => ({
  ...{ changed: 1, made: 0, committed: false, repaired: false, words: [] },
  ...part,
});
const of = (part: Partial<Happened>, pieces: Evidence[] = []) =>
  kindOf(happened(part), sampleTurn({ pieces }));

describe("words decide between kinds of change", () => {
  test.each<[kind: string, ...texts: string[]]>([
    ["bugfix", "Fix the login", "Behebe den Fehler im Login", "Corrige la connexion"],
    ["bugfix", "There is a regression", "repariere den Import", "arreglad el error del cajero"],
    ["bugfix", "arreglalo", "修复登录", "ログインを直して", "исправь вход", "ошибка входа"],
    ["refactor", "Refactoring of totals", "Bitte die Klasse umbenennen", "renomme la classe"],
    ["refactor", "simplifica el total", "重构购物车", "カートをリファクタして"],
    ["feature", "Add a total", "Füge eine Summe hinzu", "ajoute un total", "añade un total"],
    ["feature", "Added a total", "Created totals"],
    ["feature", "crée un panier", "添加总价", "合計を追加", "добавь итог", "erstelle eine Liste"],
  ])("%s: %s …", (kind, ...texts: string[]) => {
    for (const text of texts) expect([text, of({ words: [text] })]).toEqual([text, kind as never]);
  });

  test("the first text that says something counts, in it a fix before a rebuild before something new", () => {
    expect(of({ words: ["Hello", "Rename it", "Fix it"] })).toBe("refactor");
    expect(of({ words: ["Add a test and fix the rename"] })).toBe("bugfix");
    expect(of({ words: ["Add a rename"] })).toBe("refactor");
    expect(of({ words: ["prefix addition"] })).toBe("change");
  });
});

describe("without such words what happened decides", () => {
  test.each<[kind: string, part: Partial<Happened>]>([
    ["change", {}],
    ["change", { changed: 0, committed: true }],
    ["feature", { changed: 3, made: 2 }],
    ["feature", { changed: 3, made: 2, repaired: true }],
    ["bugfix", { changed: 2, made: 1, repaired: true }],
    ["feature", { changed: 2, made: 1 }],
    ["bugfix", { repaired: true }],
  ])("%s: %j", (kind, part) => {
    expect(of(part)).toBe(kind as never);
  });

  test("what failed on the way of a plan is no bug of it", () => {
    expect(of({ repaired: true }, [{ kind: "plan", text: "# Totals" }])).toBe("change");
  });

  test("where nothing was changed it is a decision if somebody decided, else something found out", () => {
    const nothing = { changed: 0, words: ["Fix it"] };
    expect(of(nothing, [{ kind: "said", text: "x" }])).toBe("discovery");
    expect(of(nothing, [{ kind: "refusal", text: "" }])).toBe("discovery");
    for (const kind of ["choice", "plan"] as const)
      expect(of(nothing, [{ kind, text: "" }])).toBe("decision");
    expect(
      of(nothing, [
        { kind: "said", text: "x" },
        { kind: "refusal", text: "No" },
      ]),
    ).toBe("decision");
    expect(of({ ...nothing, committed: true }, [{ kind: "choice", text: "" }])).toBe("bugfix");
  });
});
