// The adapter that follows from a description: how it is read, over the adapter of the client that it is like, and where memoir is put.
import { join, relative } from "node:path";
import type { ClientDescription } from "../../sdk/client.ts";
import type { ClientAdapter, RegistrationPlace } from "../adapter.ts";
import { describedRegistration } from "./files.ts";
import { diskPath } from "./places.ts";
import { describedReading } from "./reading.ts";

/** `base`: the adapter of `like`; absent: its form is Claude Code's. */
export function describedAdapter(
  name: string,
  description: ClientDescription,
  base?: ClientAdapter,
): ClientAdapter {
  const registration = registrationOf(name, description, base);
  return {
    ...describedReading(name, description, base),
    ...(registration && { registration }),
  };
}

function registrationOf(
  name: string,
  description: ClientDescription,
  base: ClientAdapter | undefined,
): ClientAdapter["registration"] {
  const own = base?.registration;
  if (description.install) return describedRegistration(description);
  if (!own) return undefined;
  const { program = "", folder, transcripts } = description;
  const here = (env: RegistrationPlace["env"]) => diskPath(folder, env);
  return {
    program,
    folder: here,
    events: own.events,
    files(place) {
      const history = transcripts && diskPath(transcripts.folder, place.env);
      const forked = { ...place, client: name, ...(history !== undefined && { history }) };
      return own.files(forked).map(({ path, parts }) => {
        const below = relative(own.folder(place.env), path);
        return { path: join(here(place.env), below), parts };
      });
    },
  };
}
