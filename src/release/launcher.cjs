#!/usr/bin/env node
// Runs memoir's binary for this system, which npm put beside this package.
"use strict";
const { spawn } = require("node:child_process");
const { existsSync, readdirSync } = require("node:fs");
const { constants } = require("node:os");
const { name, version } = require("./package.json");

const { platform, arch, env } = process;
const system = { darwin: "darwin", linux: "linux", win32: "windows" }[platform];

// The same question as `memoir upgrade` and install.sh ask: musl has a loader of its own, beside which there may be glibc's.
function isMusl() {
  if (platform !== "linux" || !existsSync("/lib")) return false;
  const glibc = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];
  return readdirSync("/lib").some((one) => one.startsWith("ld-musl-")) && !glibc.some(existsSync);
}

const wanted = `${name}-${system}-${arch}${isMusl() ? "-musl" : ""}`;
let binary;
try {
  binary = require.resolve(`${wanted}/bin/memoir${platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`error: npm did not install ${wanted}, which has memoir's binary.`);
  console.error(
    `fix: if optional packages are left out (--omit=optional, or a lockfile of another system), run npm install ${wanted}@${version}`,
  );
  process.exit(1);
}

const typed = env.npm_command === "exec" ? `npx ${name}` : "memoir";
const child = spawn(binary, process.argv.slice(2), {
  stdio: "inherit",
  env: { ...env, MEMOIR_COMMAND: typed },
});
// A terminal sends these to both: the binary decides what they mean.
for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("error", (error) => {
  console.error(`error: ${binary} cannot be run: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = signal === null ? code : 128 + constants.signals[signal];
});
