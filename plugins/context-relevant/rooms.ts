// How the room of a prompt's notes is shared out. Pure.

/** Characters in which a source says something. */
const least = 200;

/**
 * Writes each in its room, the best first: all but the least that those after it need. What one leaves goes to the next;
 * for the last ones there may be no room.
 */
export function shareOut<Source, Told>(
  sources: readonly Source[],
  room: number,
  write: (source: Source, room: number) => { told: Told; length: number },
): Told[] {
  const fitting = sources.slice(0, Math.max(1, Math.floor(room / least)));
  let left = room;
  return fitting.map((source, at) => {
    const { told, length } = write(source, left - least * (fitting.length - at - 1));
    left -= length;
    return told;
  });
}
