// French: documentation only, no tests, no code.
import type { Person } from "../script.ts";

export const frenchDocs: Person = {
  name: "french-docs",
  cwd: "/home/camille/guide",
  sessions: [
    {
      start: "2026-02-16T13:00:00Z",
      steps: [
        {
          user: "Relis le guide d'installation. On vouvoie toujours le lecteur et on n'écrit jamais « simplement ».",
        },
        {
          reads: "docs/installation.md",
          content: "# Installation\nLancez simplement le script. Tu dois avoir Python 3.9.",
        },
        {
          edits: "docs/installation.md",
          from: "Lancez simplement le script. Tu dois avoir Python 3.9.",
          to: "Lancez le script. Vous devez disposer de Python 3.11.",
        },
        {
          says: "J'ai corrigé le tutoiement et la version : le projet exige Python 3.11 d'après pyproject.toml, pas 3.9. Il reste le chapitre « Sauvegarde », qui décrit encore l'ancien outil rsnapshot.",
        },
        {
          user: "rsnapshot a été remplacé par restic l'an dernier. Réécris ce chapitre, mais garde les captures d'écran.",
        },
        {
          writes: "docs/sauvegarde.md",
          content: "# Sauvegarde\nNous utilisons restic. ![capture](img/restic.png)",
        },
        {
          says: "Le chapitre parle maintenant de restic et garde les captures. La capture img/restic.png montre encore l'ancienne interface, il faudrait la refaire.",
        },
      ],
    },
  ],
  notes: [
    {
      id: "vous",
      note: "The reader is addressed formally, and a certain word is never written.",
      ask: "règles de style du guide",
      tokens: [["vouvoie", "vouvoyer"]],
    },
    {
      id: "python",
      note: "The project needs Python 3.11.",
      ask: "version de Python requise",
      tokens: [["3.11"]],
    },
    {
      id: "restic",
      note: "restic replaced rsnapshot.",
      ask: "outil de sauvegarde",
      tokens: [["restic"]],
    },
    {
      id: "shots",
      note: "Screenshots are kept.",
      ask: "garder les captures",
      tokens: [["captures"]],
    },
    {
      id: "open",
      note: "Open: the screenshot shows the old interface.",
      ask: "quelle capture refaire",
      tokens: [["img/restic.png"]],
    },
  ],
  never: [
    { id: "old-python", what: "Python 3.9 is needed.", tokens: [["dois avoir Python 3.9"]] },
    {
      id: "old-open",
      what: "The backup chapter still describes rsnapshot.",
      tokens: [["encore l'ancien outil rsnapshot"]],
    },
  ],
};
