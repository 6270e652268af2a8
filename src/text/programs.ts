// Programs of a command line: those that say nothing of the project, and what stands before any. Pure.

/** Programs that only look, move about or keep versions: their exit says nothing about the project. */
export const lookingPrograms: ReadonlySet<string> = new Set(
  "ls cat head tail grep egrep rg ag find fd tree cd pwd echo printf mkdir rmdir touch cp mv rm ln chmod chown wc which type command sleep ps kill pkill lsof sed awk jq sort uniq cut tr xargs env export source test true false date du df stat file diff cmp basename dirname realpath readlink tee less more man sqlite3 ping host dig git gh glab hub curl wget open code tmux screen memoir for while if until do done then fi bash sh zsh eval exit set".split(
    " ",
  ),
);
/** What runs another command. */
export const programWrapper =
  /^(?:(?:sudo|time|nice|nohup|command)\s+|timeout(?:\s+-\S+)*\s+\S+\s+|\w+=\S*\s+)+/;
