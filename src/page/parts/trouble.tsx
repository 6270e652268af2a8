// What went wrong, and what to do.
import { Refusal } from "../api.ts";

/** An error in the server's own words. Where nobody answered, the line at the top says so already. */
export function Trouble({ error }: { error: unknown }) {
  if (!(error instanceof Refusal)) return <p class="hint">Waiting for the server …</p>;
  if (error.code === "access_token") return null;
  return (
    <p class="trouble" role="alert">
      {error.message} {error.fix}
    </p>
  );
}

/** In place of what has not come yet, or does not come. */
export function NotYet({ error }: { error: unknown }) {
  return error === undefined ? <Skeleton rows={3} /> : <Trouble error={error} />;
}

/** Keeps the place of what is on its way. */
export const Skeleton = ({ rows }: { rows: number }) => (
  <div class="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, at) => (
      <span key={at} />
    ))}
  </div>
);
