// Programs that a scenario needs and memoir does not: as root, Debian's package is installed where one is missing.
import process from "node:process";

/** Why the program cannot be had here; undefined when it is there. Ask before the network is gone. */
export async function withoutProgram(
  name: string,
  debianPackage = name,
): Promise<string | undefined> {
  if (Bun.which(name)) return undefined;
  if (process.getuid?.() !== 0 || !Bun.which("apt-get")) return `${name} is not installed`;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "-y", "--no-install-recommends", debianPackage];
  for (const args of [["update"], install]) {
    const child = Bun.spawn(["apt-get", "-qq", ...args], { env, stdout: "ignore", stderr: "pipe" });
    const errors = await new Response(child.stderr).text();
    if ((await child.exited) !== 0)
      return `${name} is not installed, and apt-get could not: ${errors.trim().split("\n")[0]}`;
  }
  return Bun.which(name) ? undefined : `apt-get installed ${name}, which is not on the PATH`;
}
