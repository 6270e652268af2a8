// Which regular expressions config takes: those that a linear engine can run.

/** Look-ahead, look-behind and references to groups: what no linear engine has. */
const refused = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;

/** True for an expression that can be read and has nothing that could take more than linear time. */
export function isLinearPattern(pattern: string): boolean {
  // Doubled backslashes stand for themselves: `\\\\1` is no reference.
  if (refused.test(pattern.replaceAll("\\\\", ""))) return false;
  try {
    // Flags in front are those of the linear engine, which JavaScript's has not.
    new RegExp(pattern.replace(/^\(\?[ims]{1,3}\)/, ""));
    return true;
  } catch {
    return false;
  }
}
