// A connection string, read by us: drivers take `sslmode=require` for "encrypted, whoever answers". Here a server on another
// machine has to prove its name, whatever the string says.
import { readFile } from "node:fs/promises";
import { MemoirError } from "../../src/sdk/index.ts";

/** What a driver is given. */
export interface Address {
  host: string;
  port: number;
  database: string;
  username: string;
  password: string;
  ssl: false | { rejectUnauthorized: true; host: string; ca?: string };
}

// In two parts: whole, it is taken for one that holds a password, and shown without.
const form = "begins with postgres://, then <user>:<password>@<host>:5432/<database>";

const encoded =
  "In user and password write @ as %40, / as %2F, : as %3A, ? as %3F, # as %23, % as %25";

/** Rejects with `hub_refused`; no message quotes the string, which holds a password. */
export async function readAddress(text: string, rootCertificate?: string): Promise<Address> {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === "" || !isDecodable(url))
    throw new MemoirError("hub_refused", "The hub's address is no connection string.", {
      fix: `One ${form}; give it with \`memoir sync init postgres\`. ${encoded}.`,
    });
  // A password that ends the host's place early would be taken for a host, and shown as one.
  if (url.hash !== "" || `${url.pathname}${url.search}`.includes("@"))
    throw new MemoirError("hub_refused", "The hub's address holds a character as it may not.", {
      fix: `${encoded}; then give it with \`memoir sync init postgres\`.`,
    });
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, "");
  const username = decodeURIComponent(url.username) || "memoir";
  const mode = url.searchParams.get("sslmode");
  const plain = isLoopback(host) && (mode === null || mode === "disable" || mode === "prefer");
  const file = rootCertificate ?? url.searchParams.get("sslrootcert") ?? undefined;
  return {
    host,
    port: Number(url.port || 5432),
    database: decodeURIComponent(url.pathname.slice(1)) || username,
    username,
    password: decodeURIComponent(url.password),
    ssl: plain ? false : { rejectUnauthorized: true, host, ...(await certificate(file)) },
  };
}

function isDecodable({ hostname, pathname, username, password }: URL): boolean {
  try {
    for (const part of [hostname, pathname, username, password]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

async function certificate(file: string | undefined): Promise<{ ca?: string }> {
  if (file === undefined || file === "system") return {};
  try {
    return { ca: await readFile(file, "utf8") };
  } catch {
    throw new MemoirError("hub_refused", `The file ${file} of root certificates cannot be read.`, {
      fix: "Correct `plugins.hub-postgres.rootCertificate`, or `sslrootcert` in the address.",
    });
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
