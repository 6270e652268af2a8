// `memoir open`: what opens an address on each system, with nothing of it read by a shell.
import { expect, test } from "bun:test";
import { browserCommand } from "../../../src/cli/server/start-stop.ts";

const address = "http://127.0.0.1:20100/#code";

test.each([
  ["linux", "xdg-open", [address]],
  ["freebsd", "xdg-open", [address]],
  ["darwin", "open", [address]],
  ["win32", "rundll32", ["url.dll,FileProtocolHandler", address]],
])("%s", (platform, command, args) => {
  expect(browserCommand(platform, address)).toEqual([command, args]);
});
