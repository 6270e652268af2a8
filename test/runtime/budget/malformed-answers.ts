// What models and the servers before them have answered in place of a note, in both dialects, and what becomes of it.
import type { Fault } from "../../support/model-server.ts";

/** What memoir makes of an answer that comes again and again. */
export type Outcome =
  /** The notes in it are kept at once. */
  | { kept: string[] }
  /** There is nothing to keep, and the answer says so. */
  | "nothing"
  /** Asked for once more, then the heuristic does the work; `status` says why. */
  | { again: string }
  /** The heuristic does the work at once; `status` says why. */
  | { refused: string }
  /** No answer of the API's: the call is made three times, then the heuristic does the work. */
  | { unread: string };

/** A form of answer for a strategy, as the Messages API and as chat completions have it. */
export interface Form {
  name: string;
  strategy: "hybrid" | "structured" | "commands";
  anthropic: Fault;
  chat: Fault;
  outcome: Outcome;
}

const fact = "a.ts: login() throws LoginError where user.expired is set, before it returns";
const noteOf = (title: string, said: string) =>
  `<observation><type>bugfix</type><title>${title}</title><facts>\n<fact>${said}</fact></facts><uses>1,2</uses></observation>`;
const note = noteOf("Expired users are turned away", fact);
const other = note.replace("Expired users", "All the guests").replace("expired", "isGuest");
const german = noteOf(
  "Abgelaufene Nutzer werden jetzt abgewiesen",
  "a.ts: login() wirft LoginError, sobald user.expired gesetzt ist, vor der Rückgabe",
);
const japanese = noteOf(
  "期限切れの利用者を拒否する",
  "a.ts: login()はuser.expiredが設定されている場合に戻る前にLoginErrorを投げる",
);
const saidIn = (block: string) =>
  `${/<title>(.*)<.title>/.exec(block)?.[1]}: ${/<fact>(.*)<.fact>/.exec(block)?.[1]}`;
const said = saidIn(note);
const saidOfOther = saidIn(other);
const example = `<observation><type>one of the types</type><title>3 to 8 words</title><subtitle>at most 24 words</subtitle>
<facts><fact>50 to 150 characters, understandable alone</fact><fact>another one</fact></facts>
<narrative>the whole story</narrative></observation>`;
const draft = example
  .replace("3 to 8 words", "Login might be changed somehow")
  .replace("50 to", "some 50 to");
const fields = {
  ...{ type: "bugfix", title: "Expired users are turned away", subtitle: "", facts: [fact] },
  ...{ narrative: "", concepts: [], files: ["a.ts"], uses: [1, 2] },
};
const json = (more: object = {}) => JSON.stringify({ observations: [{ ...fields, ...more }] });
const command = `memoir store-memory --type bugfix --title "Expired users are turned away" --facts '["${fact}"]' --uses "1,2"`;

type Said = Extract<Fault, { said: unknown }>["said"];
type Faults = Pick<Form, "anthropic" | "chat">;
/** What is said and why it ends, in one dialect and in the other. */
type Dialects = [Said, string | null, Said, string | null];
const answers = ([blocks, stop, message, finish]: Dialects): Faults => ({
  anthropic: { said: blocks, stop: stop as string },
  chat: { said: message, stop: finish as string },
});
/** The same text in both, said to its end. */
const inWords = (text: string) => answers([text, "end_turn", text, "stop"]);
const cut = (text: string) => answers([text, "max_tokens", text, "length"]);
/** A body that is no answer, whatever the dialect. */
const body = (raw: string): Faults => ({ anthropic: { raw }, chat: { raw } });
const page = (raw: string): Faults => ({
  anthropic: { raw, type: "text/html" },
  chat: { raw, type: "text/html" },
});
/** A note of chat completions alone, whose body has other figures. */
const figures = (usage: object): Faults => ({
  ...inWords(note),
  chat: {
    raw: JSON.stringify({
      ...usage,
      choices: [{ finish_reason: "stop", message: { content: note } }],
    }),
  },
});
const none = { content: null };
const thought = { type: "thinking", thinking: "Let me see.", signature: "x" };
const use = { type: "tool_use", id: "t", name: "Read", input: { file_path: "a.ts" } };
const call = { id: "c", type: "function", function: { name: "read", arguments: "{}" } };
const text = (value: unknown) => ({ type: "text", text: value });

const aside = { type: "aside", aside: 1 };
const parts = [text(note.slice(0, 60)), text(note.slice(60))];
const reasoning = { ...none, reasoning_content: "Let me see." };
const inThoughts = { content: "", reasoning: note };

const again = (why: string): Outcome => ({ again: why });
const kept: Outcome = { kept: [said] };
const empty = again("it was empty");
const emptyBlock = again("an <observation> block was empty");
const noBlock = again("no <observation> or <summary> block was found in it");
const noFact = again("an observation has no fact of 50 to 150 characters that stands alone");
const noJson = again("no JSON object was found in it");
const noNote = again('the JSON has neither "observations" nor the fields of a summary');
const noCommand = again("no memoir command was found in it");
const openQuotes = again("the quotes of a store-memory command do not match");
const refused: Outcome = { refused: "refused to answer" };
const unread: Outcome = { unread: "is no complete answer" };

/** Forms of one strategy with one outcome, by their names. */
function all<Text>(
  strategy: Form["strategy"],
  outcome: Outcome,
  faults: (text: Text) => Faults,
  texts: Record<string, Text>,
): Form[] {
  return Object.entries(texts).map(([name, one]) => ({ name, strategy, outcome, ...faults(one) }));
}

export const forms: Form[] = [
  ...all("hybrid", empty, inWords, {
    "no text": "",
    "white space": " \n\n ",
    "a byte order mark alone": "\ufeff",
    "thinking and no more": `<think>${note}</think>`,
  }),
  ...all("hybrid", empty, cut, { "thinking in the text, cut": "<think>First, the login" }),
  ...all<Dialects>("hybrid", empty, answers, {
    "no text block, content: null": [[], "end_turn", none, "stop"],
    "no content at all": [[], "end_turn", {}, "stop"],
    "a tool call alone": [[use], "tool_use", { ...none, tool_calls: [call] }, "tool_calls"],
    "a tool call as of old": [[use], "end_turn", none, "function_call"],
    "a pause": [[], "pause_turn", "", "pause"],
    "thinking that used up the room": [[thought], "max_tokens", reasoning, "length"],
    "the note in the thoughts": [[{ ...thought, thinking: note }], "end_turn", inThoughts, "stop"],
    "thinking that nobody may read": [
      [{ type: "redacted_thinking", data: "EmwKAhgB" }],
      "end_turn",
      { ...none, reasoning_details: [{ type: "reasoning.encrypted", data: "EmwKAhgB" }] },
      "stop",
    ],
    "a search of the server's own": [
      [{ type: "server_tool_use", id: "s", name: "web_search", input: { query: "login" } }],
      "pause_turn",
      { ...none, tool_calls: [{ ...call, type: "custom" }] },
      "tool_calls",
    ],
    "the note as sound": [
      [{ type: "audio", transcript: note }],
      "end_turn",
      { ...none, audio: { id: "a", transcript: note } },
      "stop",
    ],
    "a number where the text is": [[text(42)], "end_turn", { content: 42 }, "stop"],
    "an object where the text is": [[text({})], "end_turn", { content: { text: note } }, "stop"],
  }),
  ...all("hybrid", noBlock, inWords, {
    "a refusal in prose": "Policy does not allow me to record anything of this session.",
    "a refusal in German": "Dazu kann ich leider nichts festhalten.",
    "an apology": "I'm sorry, but I cannot keep notes on this. No observations were made.",
    "a question": "Which of these is worth a note? None stands out.",
    "the tool's next step": '<function_calls><invoke name="Edit"/></function_calls>',
    "another form: JSON": json(),
    "another form: a command": command,
    "the block escaped": note.replaceAll("<", "&lt;"),
  }),
  ...all("hybrid", noBlock, cut, { "an endless repetition": "and so on ".repeat(50_000) }),
  ...all("hybrid", emptyBlock, inWords, { "an empty block": "<observation></observation>" }),
  ...all("hybrid", emptyBlock, cut, { "half of a note": note.slice(0, 60) }),
  ...all("hybrid", noFact, inWords, {
    "a title alone": "<observation><title>Expired users are turned away</title></observation>",
    "facts that only point": note.replace(fact, "It now also does what the user wanted it to do."),
    "the form's own example": example,
  }),
  ...all<Dialects>("hybrid", refused, answers, {
    "a refusal": [[], "refusal", { ...none, refusal: "I can't." }, "stop"],
    "a refusal in a part": [
      [text("")],
      "refusal",
      { content: [{ type: "refusal", refusal: "I can't." }] },
      "stop",
    ],
    "a safety stop": [note.slice(0, 60), "refusal", note.slice(0, 60), "content_filter"],
  }),
  ...all("hybrid", "nothing", inWords, {
    "a word for nothing": "<nothing/>",
    "nothing, in a fence": "```xml\n<nothing/>\n```",
  }),
  ...all("hybrid", kept, inWords, {
    "a note": note,
    "the same note twice": note + note,
    "a note and nothing": `${note}\n<nothing/>`,
    "a draft before the note": `<think>${draft}\n</think>\n${note}`,
    "a draft whose beginning the server ate": `${draft}\n</think>\n${note}`,
    "the example before the note": `${example}\n${note}`,
    "an apology before the note": `I'm sorry for the delay. Here it is:\n\n${note}\n\nMore?`,
    "a byte order mark before the note": `\ufeff${note}`,
    "a code fence around the note": `\`\`\`xml\n${note}\n\`\`\``,
    "a document around the note": `<?xml version="1.0"?>\n<notes>${note}</notes>`,
    "CDATA in the note": note.replace(fact, `<![CDATA[${fact}]]>`),
    "forgotten closing tags": note.replaceAll(/<\/(?!observation)\w+>/g, ""),
    "tags in capitals, with a namespace": note.replaceAll(
      /(?<=<\/?)\w/g,
      (one) => `n:${one.toUpperCase()}`,
    ),
    "a type and uses that are none": note.replace("bugfix", "7").replace("1,2", "all"),
    "invisible characters in the note": note.replace("login()", "lo\u200bgin()\u0007"),
    "the note with half a character": note.replace("turned away", "turned away\ud83d"),
  }),
  ...all("hybrid", kept, cut, { "a whole note, and half of another": note + other.slice(0, 40) }),
  ...all("hybrid", { kept: [saidOfOther, said] }, inWords, { "two notes": `${note}\n${other}` }),
  ...all("hybrid", { kept: [saidIn(german)] }, inWords, { "a note in German": german }),
  ...all("hybrid", { kept: [saidIn(japanese)] }, inWords, { "a note in Japanese": japanese }),
  ...all<Dialects>("hybrid", kept, answers, {
    "content in parts": [parts, "end_turn", { content: parts }, "stop"],
    "thinking beside the note": [
      [thought, text(note)],
      "end_turn",
      { content: note, reasoning: "Hm." },
      "stop",
    ],
    "tool calls of one id beside the note": [
      [text(note), use, use],
      "tool_use",
      { content: note, tool_calls: [call, call] },
      "tool_calls",
    ],
    "parts that nobody knows": [
      [aside, text(note)],
      "end_turn",
      { content: [aside, text(note)] },
      "stop",
    ],
    "a stop at a sequence": [note, "stop_sequence", note, "stop"],
    "a whole note at the end of the model's room": [
      note,
      "model_context_window_exceeded",
      note,
      "length",
    ],
    "a stop reason that nobody knows": [note, "eos", note, "eos"],
  }),
  ...all("hybrid", kept, figures, {
    "an answer without figures": {},
    "figures that are words": { usage: { prompt_tokens: "12" } },
  }),
  ...all<Dialects>("hybrid", { unread: "it ends in the middle" }, answers, {
    "no reason to stop": [note, null, note, null],
  }),
  ...all("hybrid", unread, page, { "an HTML page": "<html><body>502 Bad Gateway</body></html>" }),
  ...all("hybrid", unread, body, {
    "an empty body": "",
    "half a JSON body": '{"id":"msg_01","choices":[{"mess',
    "a list": "[]",
    "a number": "42",
    "an error in the body": '{"error":{"message":"model is loading"}}',
    "an error of the API's with status 200":
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    "a stream where a body was asked for":
      'event: message_start\ndata: {"type":"message_start","message":{"content":[]}}\n\n',
    "a stream that breaks off": 'data: {"id":"x","choices":[{"delta":{"content":"<observ',
    "no choices, no content": '{"id":"x","choices":[],"content":null}',
  }),

  ...all("structured", kept, inWords, {
    "a note": json(),
    "a list without its object": `[${JSON.stringify(fields)}]`,
    "a note without its list": JSON.stringify(fields),
    "one note where a list is wanted": JSON.stringify({ observations: fields }),
    "words, a fence and a comma too many": `Sure!\n\`\`\`json\n${json().replace("]}", ",]}")}\n\`\`\``,
    "a text where a list is wanted": json({ facts: fact, concepts: "login", uses: "1, 2" }),
    "numbers and null where texts are wanted": json({
      subtitle: 7,
      narrative: null,
      concepts: [1, null],
    }),
    "objects where texts are wanted": json({ facts: [{ fact }], concepts: [{ name: "login" }] }),
    "half a character": json({ title: "Expired users are turned away\ud83d" }),
  }),
  ...all("structured", kept, cut, {
    "cut in its second note": `{"observations":[${JSON.stringify(fields)},{"type":"bugf`,
  }),
  ...all("structured", "nothing", inWords, { "an empty list": '{"observations": []}' }),
  ...all("structured", noJson, cut, { "cut in its first note": json().slice(0, 60) }),
  ...all("structured", noJson, inWords, {
    "single quotes": json().replaceAll('"', "'"),
    "the note in tags": note,
    null: "null",
    "a refusal in prose": "I cannot help with that.",
  }),
  ...all("structured", noNote, inWords, { "something else": '{"thought": "Which of these?"}' }),

  ...all("commands", kept, inWords, {
    "a note": command,
    "a fence, a prompt and a path": `\`\`\`sh\n$ ./bin/${command}\n\`\`\``,
  }),
  ...all("commands", "nothing", inWords, { "a word for nothing": "NOTHING" }),
  ...all("commands", noCommand, inWords, { "a refusal in prose": "I cannot run commands." }),
  ...all("commands", openQuotes, cut, { "quotes that are never closed": command.slice(0, 60) }),
];
