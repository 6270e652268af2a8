// `memoir open`: memory in a browser.

import { spawn } from "node:child_process";
import process from "node:process";
import { inJson } from "../terminal/agree.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { server } from "./client.ts";
import { ensureServer } from "./start-stop.ts";

export interface OpenOptions {
  print?: boolean;
  json?: boolean;
}

/** Starts the server where needed and opens the page; gives exit code 0. The address is printed where no browser could be started. */
export async function open(options: OpenOptions, terminal: Terminal): Promise<number> {
  await ensureServer();
  const { address } = await server.post("/api/page/code");
  if (inJson({ address }, options, terminal)) return 0;
  if (!options.print && (await startBrowser(process.platform, address))) {
    terminal.print("memoir is open in your browser.");
    return 0;
  }
  terminal.print(address);
  terminal.print(terminal.colors.dim("The link works once and expires in a minute."));
  return 0;
}

/** What opens an address, by system. */
export function browserCommand(platform: string, address: string): [string, string[]] {
  if (platform === "darwin") return ["open", [address]];
  if (platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", address]];
  return ["xdg-open", [address]];
}

/** An opener that could not open anything says so within this time. */
const openerMs = 2_000;

/** Whether the system's opener took the address. It is not waited for longer: some stay as long as the browser. */
function startBrowser(platform: string, address: string): Promise<boolean> {
  const [command, args] = browserCommand(platform, address);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "ignore", detached: true });
    const late = setTimeout(() => resolve(true), openerMs);
    const end = (isOpen: boolean) => {
      clearTimeout(late);
      resolve(isOpen);
    };
    child.once("error", () => end(false));
    child.once("exit", (code) => end(code === 0));
    child.unref();
  });
}
