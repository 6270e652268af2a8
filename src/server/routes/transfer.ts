// POST /api/export, /api/import: memory that is carried elsewhere and back, a page and some lines at a time.
import { routesBelow } from "../http/edge.ts";
import { answer, body } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { exportPage } from "../memory/transfer/export-page.ts";
import { importLines, linkObservations } from "../memory/transfer/import-lines.ts";
import {
  ExportAnswer,
  ExportBody,
  ImportAnswer,
  ImportBody,
  LinksAnswer,
  LinksBody,
} from "../schemas/transfer.ts";

/** Pages of an export, and lines of an import. */
export function transferRoutes(runtime: ServerRuntime) {
  return routesBelow("/api")
    .post("/export", ({ body: { cursor, ...filter } }) => exportPage(runtime, filter, cursor), {
      body: body(ExportBody),
      response: answer(ExportAnswer),
      detail: { summary: "A page of everything that memory holds." },
    })
    .post("/import", ({ body: { lines, dryRun = false } }) => importLines(runtime, lines, dryRun), {
      body: body(ImportBody),
      response: answer(ImportAnswer),
      detail: { summary: "Take lines of an export in; what is there already stays." },
    })
    .post(
      "/import/links",
      async ({ body: { links, isSure = false } }) => ({
        doubtful: await linkObservations(runtime, links, isSure),
      }),
      {
        body: body(LinksBody),
        response: answer(LinksAnswer),
        detail: { summary: "Say which imported observations a newer one supersedes." },
      },
    );
}
