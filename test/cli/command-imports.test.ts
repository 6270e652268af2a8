// A command loads what it needs: the client's types come from the server's routes, none of their code does.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { staticImports } from "../support/static-imports.ts";

const root = join(import.meta.dir, "../..");

test.each(["memory/look.ts", "memory/show.ts", "server/status.ts", "server/client.ts"])(
  "%s loads no route, no schema of a route and no framework",
  (command) => {
    const loaded = [...staticImports(root, join(root, "src/cli", command))];
    expect(loaded).toContain("src/cli/server/client.ts");
    const server = loaded.filter((name) =>
      /^(elysia|@valibot\/|src\/server\/(?!endpoint|inputs|auth|life))/.test(name),
    );
    expect(server).toEqual([]);
  },
);
