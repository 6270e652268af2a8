// The adapter of a client that tells memoir nothing: only its files are known.
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientAdapter } from "../adapter.ts";
import { serverPart } from "../normal/registration.ts";
import { type ToolsOnlyName, toolsOnlyFiles } from "./files.ts";

/** Of the client that is named. */
export function toolsOnlyAdapter(name: ToolsOnlyName): ClientAdapter {
  const { program, folder, servers, at, rules, part } = toolsOnlyFiles[name];
  return {
    name,
    parse() {
      throw new MemoirError("payload_invalid", `${name} tells memoir nothing by hooks.`);
    },
    original: () => undefined,
    render: () => undefined,
    registration: {
      ...{ program, folder, events: [] },
      files: (place) => [
        { path: servers(place.env), parts: [serverPart(place, at)] },
        { path: rules(place.env), parts: [part] },
      ],
    },
  };
}
