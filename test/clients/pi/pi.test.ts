// pi's events, as memoir's extension tells them, and its sessions in the normal form.
import { clientSuite } from "../suite.ts";

clientSuite({ client: "pi", ownHooksOnly: true, folder: import.meta.dirname, recorded: "pi" });
