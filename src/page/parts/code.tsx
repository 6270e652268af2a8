// A sentence of memoir's own, in which commands and keys stand between backticks.
import { asShown } from "../words.ts";

/** The sentence; what stands between backticks is shown as code. */
export function WithCode({ text }: { text: string }) {
  const parts = asShown(text).split("`");
  return (
    <bdi class="said" dir="auto">
      {parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}
    </bdi>
  );
}
