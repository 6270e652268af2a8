// Another prompt strategy: the model answers in plain lines, one note a line; everything else is shared.
import { type AnswerFormat, emptyAnswer, modelStrategy, saysNothing } from "memoir/strategy";

const instructions = `HOW TO ANSWER
One line for each note, its parts separated by " | ":
NOTE | type | title, 3 to 8 words | fact, 50 to 150 characters | numbers of the tool uses, like 1,3
When nothing is worth a note, answer with the one word NOTHING.
When a summary is asked for, one line:
SUMMARY | what the user wanted | what was done | what remains | title, 3 to 6 words`;

export const plainLines: AnswerFormat = {
  instructions,
  reminders: {
    observe: "Answer in NOTE lines, or NOTHING.",
    summarize: "Answer in a SUMMARY line.",
  },
  read(text) {
    const answer = emptyAnswer();
    for (const line of text.split("\n")) {
      const [kind, ...parts] = line.split("|").map((part) => part.trim());
      if (kind === "NOTE" && parts.length >= 3) {
        const [type = "", title = "", fact = "", uses = ""] = parts;
        answer.observations.push({
          type,
          title,
          subtitle: "",
          facts: [fact],
          narrative: fact,
          concepts: [],
          files: [],
          uses: (uses.match(/\d+/g) ?? []).map(Number),
        });
      } else if (kind === "SUMMARY" && parts.length >= 2) {
        const [request = "", completed = "", nextSteps = "", title] = parts;
        answer.summary = {
          request,
          completed,
          nextSteps,
          filesRead: [],
          filesEdited: [],
        };
        if (title) answer.title = title;
      }
    }
    if (answer.observations.length > 0 || answer.summary) return answer;
    answer.nothing = saysNothing(text);
    if (!answer.nothing) answer.problem = "there was neither a NOTE nor a SUMMARY line";
    return answer;
  },
};

export default modelStrategy({
  name: "plain-lines",
  description: "Asks the model for observations and summaries; it answers in plain lines.",
  format: plainLines,
});
