// Which engine runs this program, and whether it is the shipped binary. Imports nothing: it is asked everywhere.

export const isDeno = "Deno" in globalThis;

/** Whether a module's address is inside a compiled binary: there every module lies in Bun's virtual folder. */
export function isInBinary(address: string): boolean {
  return address.includes("/$bunfs/") || address.includes("~BUN");
}
