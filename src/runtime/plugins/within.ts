// A deadline for what a plugin does once: load, start, stop. Its hooks have their own.

/** The result of `work`, or a rejection with `late` after `ms`; what is late goes on unheard. */
export async function within<Value>(
  ms: number,
  late: Error,
  work: () => Promise<Value>,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), ms);
  });
  try {
    return await Promise.race([work(), over]);
  } finally {
    clearTimeout(timer);
  }
}
