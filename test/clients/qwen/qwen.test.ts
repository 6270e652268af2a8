// Qwen Code's payloads and transcripts in the normal form.
import { clientSuite } from "../suite.ts";

clientSuite({ client: "qwen", folder: import.meta.dirname, recorded: "qwen" });
