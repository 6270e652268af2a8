// Lines that tell of trouble: errors, warnings, failures; they stay whatever else goes.

const words =
  /\b(?:errors?|err!|error\[\w+\]|fail(?:s|ed|ing|ures?)?|fatal|panic(?:ked)?|exceptions?|traceback|segfault|abort(?:ed)?|denied|refused|cannot|can't|could not|unable|unresolved|undefined reference|not found|no such|missing|unexpected|invalid|conflicts?|deprecated|vulnerabilit(?:y|ies)|timed? ?out|killed|rejected)\b|\bwarn(?:ings?)?\b|\b\w+(?:error|exception):|[✗✘✖❌⚠]/i;
/** `0 errors`, `errors: 0`, `no warnings`: the opposite. */
const none =
  /\b(?:0|no)\s+(?:errors?|fail(?:ed|ures?)|warnings?|problems?|vulnerabilities)\b|\b(?:errors?|fail(?:ed|ures?)?|warnings?)\s*[:=]\s*0\b/gi;
/** `PlatformError.ts`, `error_test.go`: only a name. */
const named = /\S*(?:error|fail|warn|exception|missing|invalid|timeout)\S*\.\w{1,5}\b(?!:\d)/gi;

/** Whether a line tells of trouble. */
export function isTrouble(line: string): boolean {
  if (!words.test(line)) return false;
  return words.test(line.replace(none, "").replace(named, ""));
}
