// A transcript of about the asked size: turns of large writes with their results, thinking and talk between them.
import { said, thought, transcriptScript, used } from "./transcript-lines.ts";

/** At least `bytes` long; the tool uses are `t0`, `t1`, …, two a turn. */
export function largeTranscript(bytes: number, inputBytes = 20_000): string {
  const script = transcriptScript();
  const content = "const price = 19; // the shop's\n".repeat(Math.ceil(inputBytes / 32));
  let written = 0;
  for (let turn = 0; written < bytes; turn++) {
    script.user(`Turn ${turn}`);
    for (const use of [turn * 2, turn * 2 + 1]) {
      script.assistant(`m${turn}-${use}`, [thought("What next?")]);
      script.assistant(`m${turn}-${use}`, [
        used(`t${use}`, "Write", { file_path: `/home/kim/shop/${use}.js`, content }),
      ]);
      script.result(`t${use}`, "ok", { toolUseResult: { type: "create", content } });
      written += content.length * 2 + 1_500;
    }
    script.assistant(`m${turn}-end`, [said("Done.")]);
  }
  script.user("And now?");
  script.assistant("m-last", [said("Nothing more.")]);
  return script.text();
}
