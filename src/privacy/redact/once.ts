// A value that is made when it is first asked for: most rules are not, in the life of a hook.

/** Asks `make` the first time, and answers the same ever after. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
