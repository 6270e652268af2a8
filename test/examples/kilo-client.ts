// A fork as a few lines: Kilo grew out of OpenCode, keeps its own folder and database, and is remembered under its own name.
import { definePlugin } from "memoir/sdk";

export default definePlugin({
  name: "kilo-client",
  description: "Kilo, which grew out of OpenCode: `memoir install kilo`.",
  sdk: 1,
  clients: {
    kilo: {
      title: "Kilo",
      like: "opencode",
      program: "kilo",
      folder: ["$XDG_CONFIG_HOME/kilo", "~/.config/kilo"],
      transcripts: {
        folder: ["$KILO_DB", "$XDG_DATA_HOME/kilo/kilo.db", "~/.local/share/kilo/kilo.db"],
      },
    },
  },
  hooks: {},
});
