// What is there in place of what one looked for: that it is on its way, that there is none, what went wrong and what to do.
import type { ComponentChildren } from "preact";
import { Refusal } from "../api.ts";
import { WithCode } from "./code.tsx";

/** An error in the server's own words. Where nobody answered, the line at the top says so already. */
export function Trouble({ error }: { error: unknown }) {
  if (!(error instanceof Refusal)) return <p class="hint">Waiting for the server …</p>;
  if (error.code === "access_token") return null;
  return (
    <p class="trouble" role="alert">
      <WithCode text={`${error.message} ${error.fix}`} />
    </p>
  );
}

/** In place of what has not come yet, does not come, or is not there. */
export function NotYet({ error }: { error: unknown }) {
  if (error === undefined) return <Skeleton rows={3} />;
  if (!(error instanceof Refusal) || error.code !== "record_not_found")
    return <Trouble error={error} />;
  return (
    <Nowhere title="Memory has nothing here">It was deleted, or its address is wrong.</Nowhere>
  );
}

/** Nothing is at this address. */
export const Nowhere = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div class="empty" role="alert">
    <h1>{title}</h1>
    <p>
      {children} <a href="/memory">Go to your memory</a>, or press <kbd>/</kbd> to search it.
    </p>
  </div>
);

/** Nothing is there yet, or nothing that was asked for. */
export const Empty = ({ title, children }: { title?: string; children: ComponentChildren }) => (
  <div class="empty" role="status">
    {title && <h2>{title}</h2>}
    {children}
  </div>
);

/** Keeps the place of what is on its way. */
export const Skeleton = ({ rows }: { rows: number }) => (
  <div class="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, at) => (
      <span key={at} />
    ))}
  </div>
);
