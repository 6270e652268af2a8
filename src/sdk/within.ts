// The one way to wait no longer than so long.

/**
 * What `work` comes to, or after `ms` what `late` says: an Error is thrown, anything else is the answer. What comes later
 * goes unheard, a failure too.
 * @example
 * const size = await within(25, fileSize(path), undefined);
 */
export async function within<Value, Late>(
  ms: number,
  work: Promise<Value>,
  late: Late,
): Promise<Value | Exclude<Late, Error>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<Exclude<Late, Error>>((resolve, reject) => {
    timer = setTimeout(() => {
      if (late instanceof Error) reject(late);
      else resolve(late as Exclude<Late, Error>);
    }, ms);
  });
  try {
    // `race` listens to the loser as well.
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
