// Factory droid's payloads and transcripts in the normal form.
import { clientSuite } from "../suite.ts";

clientSuite({ client: "droid", folder: import.meta.dirname, recorded: "droid" });
