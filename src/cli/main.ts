// The binary's entry: the hook command branches off before anything else is loaded.

// The global `process` on purpose: importing node:process would cost the hook command more than its own work.
const [, , command, first] = process.argv;

if (command === "hook" && first !== "--help" && first !== "-h") {
  try {
    await import("./hook/hook.ts");
  } catch (error) {
    // Whatever went wrong, the user's agent goes on.
    await import("./hook/log.ts").then(({ noteFailure }) => noteFailure(error)).catch(() => {});
  }
  process.exit(0);
} else {
  const { main } = await import("./program.ts");
  process.exitCode = await main(process.argv);
}

export {};
