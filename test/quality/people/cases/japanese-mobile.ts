// Japanese: a mobile app; a bug, its cause, a preference.
import type { Person } from "../script.ts";

export const japaneseMobile: Person = {
  name: "japanese-mobile",
  cwd: "/Users/sato/kakeibo",
  sessions: [
    {
      start: "2026-06-01T02:00:00Z",
      steps: [
        { user: "月末に予算グラフが表示されません。調べてください。" },
        {
          reads: "lib/budget_chart.dart",
          content: "final days = List.generate(30, (i) => i + 1);",
        },
        {
          runs: "flutter test test/budget_chart_test.dart",
          prints: "RangeError (index): Index out of range: index should be less than 30: 30",
          fails: true,
        },
        {
          edits: "lib/budget_chart.dart",
          from: "List.generate(30, (i) => i + 1)",
          to: "List.generate(daysInMonth(month), (i) => i + 1)",
        },
        { runs: "flutter test test/budget_chart_test.dart", prints: "All tests passed!" },
        {
          says: "原因は日数を30に固定していたことです。31日の月で範囲外エラーになっていました。daysInMonthを使うように直し、テストも通りました。",
        },
        { user: "ありがとう。状態管理はRiverpodに統一します。Providerはもう使わないでください。" },
        { edits: "pubspec.yaml", from: "provider: ^6.1.0", to: "flutter_riverpod: ^3.0.0" },
        { says: "Riverpodに置き換え始めました。残りは設定画面(lib/settings_page.dart)だけです。" },
        { user: "今日はここまで。設定画面は次回お願いします。" },
        { says: "了解です。次回は設定画面をRiverpodに移します。" },
      ],
    },
  ],
  notes: [
    {
      id: "cause",
      note: "The number of days was fixed at 30.",
      ask: "グラフが表示されない原因",
      tokens: [["daysInMonth", "30に固定"]],
    },
    {
      id: "riverpod",
      note: "State is managed with Riverpod only.",
      ask: "状態管理は何を使う",
      tokens: [["Riverpod"]],
    },
    {
      id: "no-provider",
      note: "Provider must not be used any more.",
      ask: "Providerを使ってよいか",
      tokens: [["Providerはもう使わない"]],
    },
    {
      id: "open",
      note: "Open: the settings page.",
      ask: "残っている作業",
      tokens: [["settings_page.dart", "設定画面"]],
    },
  ],
  never: [
    {
      id: "broken",
      what: "The chart test fails.",
      tokens: [["RangeError"], ["next", "failing", "次"]],
    },
  ],
};
