// Grok Build's payloads in the normal form, as it sends them to Claude Code's hooks.
import { clientSuite } from "../suite.ts";

clientSuite({ client: "grok", folder: import.meta.dirname, recorded: "grok" });
