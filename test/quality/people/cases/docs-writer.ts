// English documentation: Markdown only, rules of style, a compaction in the middle.
import type { Person } from "../script.ts";

export const docsWriter: Person = {
  name: "docs-writer",
  cwd: "/home/grace/handbook",
  sessions: [
    {
      start: "2026-05-18T12:00:00Z",
      steps: [
        {
          user: "Rewrite the onboarding chapter. Second person, present tense, and no screenshots: they go stale.",
        },
        { reads: "chapters/onboarding.md", content: "The new employee will be given a laptop." },
        { writes: "chapters/onboarding.md", content: "You get a laptop on your first day." },
        {
          says: "The chapter is rewritten in second person and present tense. The section on VPN is unclear to me: is it WireGuard or the old OpenVPN?",
        },
        { user: "WireGuard since January. And HR is called People Team now." },
        { edits: "chapters/onboarding.md", from: "HR", to: "People Team" },
        {
          compacts:
            "The user has the onboarding chapter rewritten: second person, present tense, no screenshots. VPN is WireGuard since January. HR is called People Team. Left: the glossary and the chapter on expenses.",
        },
        { user: "do the glossary" },
        { writes: "chapters/glossary.md", content: "People Team: formerly HR." },
        {
          says: "The glossary has 24 entries, People Team among them. Left: the chapter on expenses, for which you wanted to ask finance about the mileage rate.",
        },
      ],
      ends: "clear",
    },
  ],
  notes: [
    {
      id: "style",
      note: "Second person, present tense.",
      ask: "style of the handbook",
      tokens: [["second person"]],
    },
    {
      id: "shots",
      note: "No screenshots.",
      ask: "are screenshots allowed",
      tokens: [["screenshots"]],
    },
    {
      id: "vpn",
      note: "VPN is WireGuard since January.",
      ask: "which VPN",
      tokens: [["WireGuard"]],
    },
    {
      id: "people",
      note: "HR is called People Team.",
      ask: "what is HR called",
      tokens: [["People Team"]],
    },
    {
      id: "open",
      note: "Left: expenses; ask finance for the mileage rate.",
      ask: "which chapter is left",
      tokens: [["expenses"]],
    },
  ],
  never: [
    { id: "glossary", what: "The glossary is left.", tokens: [["Left: the glossary"]] },
    {
      id: "vpn-open",
      what: "It is unclear which VPN is used.",
      tokens: [["unclear to me"]],
      unless: ["WireGuard"],
    },
  ],
};
