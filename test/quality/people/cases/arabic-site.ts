// Arabic: a web site; right-to-left text, a choice and a decision.
import type { Person } from "../script.ts";

export const arabicSite: Person = {
  name: "arabic-site",
  cwd: "/home/yasmin/matjar",
  sessions: [
    {
      start: "2026-01-19T07:00:00Z",
      steps: [
        { user: "القائمة الجانبية تظهر في الجهة الخطأ في النسخة العربية. أصلحها من فضلك." },
        { reads: "src/styles/menu.css", content: ".menu { left: 0; }" },
        {
          edits: "src/styles/menu.css",
          from: ".menu { left: 0; }",
          to: ".menu { inset-inline-start: 0; }",
        },
        { runs: "npm run build", prints: "built in 3.1s" },
        {
          says: "السبب أن الملف menu.css يستخدم left بدل inset-inline-start. القائمة الآن في الجهة الصحيحة.",
        },
        { user: "من الآن استخدم الخصائص المنطقية فقط في كل ملفات التنسيق." },
        { says: "سأستخدم الخصائص المنطقية فقط. بقي ملف footer.css لم يُعدّل بعد." },
        { user: "أي خط نستعمل للعناوين؟" },
        { asks: "أي خط للعناوين؟", options: ["Cairo", "Amiri", "Tajawal"], answer: "Tajawal" },
        { says: "العناوين بخط Tajawal." },
      ],
    },
  ],
  notes: [
    {
      id: "cause",
      note: "menu.css used left instead of the logical property.",
      ask: "سبب مشكلة القائمة",
      tokens: [["inset-inline-start"]],
    },
    {
      id: "logical",
      note: "Only logical properties in style sheets.",
      ask: "قواعد ملفات التنسيق",
      tokens: [["الخصائص المنطقية"]],
    },
    { id: "open", note: "Open: footer.css.", ask: "ما الملف الذي بقي", tokens: [["footer.css"]] },
    {
      id: "font",
      note: "Headings are set in Tajawal, chosen by the user.",
      ask: "خط العناوين",
      tokens: [["Tajawal"]],
    },
  ],
  never: [{ id: "cairo", what: "Headings are set in Cairo.", tokens: [["العناوين بخط Cairo"]] }],
};
