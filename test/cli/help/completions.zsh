#compdef memoir
# zsh completion of memoir; put this into ~/.zshrc after compinit:  source <(memoir completions zsh)
_memoir() {
  local p="" w
  local -a c o
  for w in "${(@)words[2,CURRENT-1]}"; do
    case "${p:+$p }$w" in
      "install"|"status"|"search"|"show"|"sessions"|"context"|"open"|"backfill"|"doctor"|"config"|"config show"|"config get"|"config set"|"config unset"|"config path"|"config schema"|"plugin"|"plugin list"|"plugin info"|"plugin enable"|"plugin disable"|"plugin new"|"plugin check"|"plugin test"|"plugin dev"|"plugin docs"|"plugin add"|"plugin remove"|"plugin trust"|"memory"|"memory reindex"|"memory forget"|"memory prune"|"memory timeline"|"memory related"|"memory stats"|"memory edit"|"memory merge"|"memory pin"|"memory unpin"|"memory hide"|"memory unhide"|"memory confirm"|"memory redact"|"memory backup"|"memory restore"|"memory export"|"memory import"|"session"|"session dump"|"session markdown"|"session context"|"session examples"|"session stats"|"session validate"|"session list"|"server"|"server status"|"server start"|"server stop"|"server retry"|"endless"|"endless on"|"endless off"|"endless gateway"|"endless gateway on"|"endless gateway off"|"endless gateway status"|"endless status"|"endless metrics"|"endless restore"|"uninstall"|"completions"|"upgrade"|"demo"|"version"|"provider"|"provider list"|"provider test"|"provider key"|"recall"|"store-memory"|"update-session-metadata"|"store-overview"|"serve"|"mcp"|"hook") p="${p:+$p }$w";;
    esac
  done
  case "$p ${words[CURRENT-1]}" in
    "install --scope") compadd -- user project local; return;;
    "search --level") compadd -- sessions summaries titles facts narratives; return;;
    "search --kind") compadd -- observation summary prompt session memory turn; return;;
    "context --source") compadd -- startup resume clear compact; return;;
    "memory related --kind") compadd -- observation summary prompt session memory turn; return;;
    "memory import --from") compadd -- claude-mem; return;;
    "recall --part") compadd -- input output; return;;
    "store-memory --type") compadd -- decision bugfix feature refactor discovery; return;;
  esac
  case "$p" in
    "") c=('install:put the binary in memoir’s home and register it with Claude Code; safe to repeat' 'status:show what was captured, what became of it, and how the server is doing' 'search:find what is remembered: any of the words, in any order and inflection' 'show:show records in full: turns, observations, summaries, prompts, sessions, memory items' 'sessions:list sessions, newest first; with an id, what happened in that session' 'context:print the context that a session starting in this folder would be given' 'open:open memory in your browser: search it, read sessions, correct it' 'backfill:read recorded sessions into memory, newest first; safe to repeat and to interrupt' 'doctor:check everything, and say how to put right what is wrong' 'config:show and change the configuration' 'plugin:look at plugins, switch them, write and try your own' 'memory:look further into memory, correct it, delete from it, back it up' 'session:read clients’ recorded sessions: dump, check, count' 'server:start and stop the server; it starts by itself' 'endless:Endless Mode: keep the meaning, leave out the bulk, so that sessions go on' 'uninstall:give clients’ settings back and remove the binary; the memory stays' 'completions:print the script by which your shell completes memoir’s commands' 'upgrade:fetch a newer memoir from where releases lie, check it and put it in place' 'demo:watch the main job on a recorded session, in a throw-away home' 'version:print the version' 'provider:which model may be asked: list, try, and give the key' 'recall:give back, exactly, what Endless Mode left out of a conversation' 'store-memory:store an observation of your own; the same again stores nothing' 'update-session-metadata:give a session its title and subtitle' 'store-overview:store what a session came to, in two or three sentences' 'serve:run the server in the foreground' 'mcp:what a client runs to give its agent memoir’s tools: MCP on stdin and stdout' 'hook:what a client runs on each event: JSON on stdin, JSON or nothing on stdout, always exit 0'); o=('--version:print the version' '--help:show help');;
    "install") c=(); o=('--all:for every client that is on this machine' '--scope:whose settings: yours, the project’s, or yours for this project' '--dry-run:show what would change, change nothing' '--yes:do not ask' '--binary:install this binary instead of the running one' '--no-allow-tools:let the client ask before the agent looks something up in memory' '--json:print JSON' '--help:show help');;
    "status") c=(); o=('--json:print JSON' '--help:show help');;
    "search") c=(); o=('--project:only this project (name or id; . is this folder’s)' '--type:only observations of this type: decision, bugfix, feature, …' '--concept:only observations with this concept' '--file:only what touched this file (the end of a path is enough)' '--session:only this session (the beginning of an id is enough)' '--client:only sessions of this client: claude-code, codex, copilot, cursor, gemini, opencode, qwen, droid, pi, antigravity, grok' '--since:not older than 2h, 3d, yesterday, last week, 2026-11-21 or an ISO time' '--until:older than that' '--limit:how many at most (1 to 200)' '--also:the same question in other words, names, file or error text; may be repeated' '--explain:say why each result is there' '--level:what is searched, from coarse to fine' '--kind:only this kind of record, or a,b' '--json:print JSON' '--help:show help');;
    "show") c=(); o=('--json:print JSON' '--help:show help');;
    "sessions") c=(); o=('--project:only this project (name or id; . is this folder’s)' '--client:only sessions of this client: claude-code, codex, copilot, cursor, gemini, opencode, qwen, droid, pi, antigravity, grok' '--since:not older than 2h, 3d, yesterday, last week, 2026-11-21 or an ISO time' '--until:older than that' '--limit:how many at most (1 to 500)' '--json:print JSON' '--help:show help');;
    "context") c=(); o=('--cwd:another folder' '--source:how the session starts' '--prompt:what this prompt would be given instead' '--json:print JSON' '--help:show help');;
    "open") c=(); o=('--print:only print the address; it opens the page once, within a minute' '--json:print JSON' '--help:show help');;
    "backfill") c=(); o=('--project:only sessions in this folder (its name or path; . is this one)' '--since:only sessions that went on after 2h, 3d, yesterday, last week, 2026-11-21 or an ISO time' '--provider:none asks no model; a provider’s name allows the one in force' '--dry-run:show what would be read, read nothing into memory' '--yes:do not ask; with a provider in force, only together with --provider' '--json:print JSON' '--help:show help');;
    "doctor") c=(); o=('--seen:what was found out about memoir’s files is seen: tell it no more' '--bundle:print what a bug report needs, without texts and secrets; with a file, write it there too' '--json:print JSON' '--help:show help');;
    "config") c=('show:what you set, and with --all what is in force' 'get:print a value that is in force' 'set:set a value, after checking it' 'unset:go back to a value’s default' 'path:print the path of the config file' 'schema:print the JSON schema that editors use'); o=('--help:show help');;
    "config show") c=(); o=('--all:with every default' '--json:print JSON' '--help:show help');;
    "config get") c=(); o=('--json:print JSON' '--help:show help');;
    "config set") c=(); o=('--json:print JSON' '--help:show help');;
    "config unset") c=(); o=('--json:print JSON' '--help:show help');;
    "config path") c=(); o=('--json:print JSON' '--help:show help');;
    "config schema") c=(); o=('--json:it is JSON either way' '--help:show help');;
    "plugin") c=('list:who fills which slot, who listens to what, and what it costs' 'info:everything about one plugin' 'enable:enable a plugin, and register exactly the events that are needed then' 'disable:disable a plugin, and register exactly the events that are needed then' 'new:write a working plugin with a test into memoir’s plugins folder' 'check:types, contract, hooks, and how long it takes to load' 'test:the promises of its slot, then its own tests' 'dev:watch a plugin, and see what it makes of recorded events at each save' 'docs:the author’s guide, the reference and examples' 'add:install a package from npm, or take in a file or folder' 'remove:take out what add made; files of your own stay' 'trust:let a project’s own plugins run, as their files are now'); o=('--help:show help');;
    "plugin list") c=(); o=('--all:the built-in ones that are off as well' '--json:print JSON' '--help:show help');;
    "plugin info") c=(); o=('--json:print JSON' '--help:show help');;
    "plugin enable") c=(); o=('--json:print JSON' '--help:show help');;
    "plugin disable") c=(); o=('--json:print JSON' '--help:show help');;
    "plugin new") c=(); o=('--json:print JSON' '--help:show help');;
    "plugin check") c=(); o=('--json:print JSON' '--help:show help');;
    "plugin test") c=(); o=('--json:print JSON' '--help:show help');;
    "plugin dev") c=(); o=('--transcript:replay this transcript of Claude Code' '--recorded:replay the last session of the journal (default: memoir’s own sample)' '--provider:ask the model provider of your config as well, at its price' '--once:once, without watching' '--json:print JSON' '--help:show help');;
    "plugin docs") c=(); o=('--list:the topics' '--write:write all of it, and the declarations, into a folder' '--json:print JSON' '--help:show help');;
    "plugin add") c=(); o=('--yes:do not ask' '--json:print JSON' '--help:show help');;
    "plugin remove") c=(); o=('--json:print JSON' '--help:show help');;
    "plugin trust") c=(); o=('--yes:do not ask' '--revoke:no longer' '--json:print JSON' '--help:show help');;
    "memory") c=('reindex:make anew what search needs beside the records; they stay as they are' 'forget:take records, sessions, or all that fits, out of memory for good' 'prune:let go now of what retention.memory no longer keeps' 'timeline:what happened, in order: turns, observations and summaries' 'related:what else belongs to a record: the same files, names, errors, commits; work that went on' 'stats:what memory cost and what it gave back, by day and project' 'edit:write a record in your own words; no later run writes over them' 'merge:tell several records by one alone: the others are hidden, and name it' 'pin:always tell records first when a session of their project starts' 'unpin:pin records no longer' 'hide:keep records, and never tell an agent of them' 'unhide:hide records no longer, merged ones too' 'confirm:say that memory items stand, in the words that they have' 'redact:show what would be taken out of a text before it is kept, and by which rule' 'backup:copy memoir’s databases, config and memory files while everything goes on' 'restore:go back to a backup; what is there now becomes a backup first' 'export:write everything that is remembered as JSON lines' 'import:take an export, or another program’s memory, in; the same again stores nothing'); o=('--help:show help');;
    "memory reindex") c=(); o=('--json:print JSON' '--help:show help');;
    "memory forget") c=(); o=('--project:what is of this project (name or id; . is this folder’s)' '--session:what is of this session (the beginning of an id is enough)' '--file:what touched this file (the end of a path is enough)' '--query:what a search finds; you choose among it' '--since:not older than 2h, 3d, yesterday, last week, 2026-11-21 or an ISO time' '--until:older than that' '--derived:what was derived from it too: observations, summaries, memory items' '--backups:backups and damaged files that still hold it too, as a whole' '--dry-run:only show what would go' '--yes:do not ask' '--json:print JSON' '--help:show help');;
    "memory prune") c=(); o=('--dry-run:only show what would go' '--yes:do not ask' '--json:print JSON' '--help:show help');;
    "memory timeline") c=(); o=('--project:only this project (name or id; . is this folder’s)' '--session:only this session (the beginning of an id is enough)' '--client:only sessions of this client: claude-code, codex, copilot, cursor, gemini, opencode, qwen, droid, pi, antigravity, grok' '--since:not older than 2h, 3d, yesterday, last week, 2026-11-21 or an ISO time' '--until:older than that' '--limit:how many at most (1 to 500)' '--json:print JSON' '--help:show help');;
    "memory related") c=(); o=('--project:of this project instead (name or id)' '--client:only sessions of this client: claude-code, codex, copilot, cursor, gemini, opencode, qwen, droid, pi, antigravity, grok' '--since:not older than 2h, 3d, yesterday, last week, 2026-11-21 or an ISO time' '--until:older than that' '--limit:how many at most (1 to 200)' '--kind:only this kind of record, or a,b' '--json:print JSON' '--help:show help');;
    "memory stats") c=(); o=('--project:only this project (name or id; . is this folder’s)' '--since:not older than 2h, 3d, yesterday, last week, 2026-11-21 or an ISO time' '--json:print JSON' '--help:show help');;
    "memory edit") c=(); o=('--title:of an observation or a session' '--subtitle:of an observation or a session' '--text:the story of an observation, what an item says, what was completed' '--fact:a fact of an observation, instead of all it had; may be repeated' '--context:what stands beside a memory item' '--set:any other text: next-steps=…; may be repeated' '--undo:give back what was there before it was edited' '--json:print JSON' '--help:show help');;
    "memory merge") c=(); o=('--json:print JSON' '--help:show help');;
    "memory pin") c=(); o=('--project:list only this project’s (name or id)' '--json:print JSON' '--help:show help');;
    "memory unpin") c=(); o=('--json:print JSON' '--help:show help');;
    "memory hide") c=(); o=('--project:list only this project’s (name or id)' '--json:print JSON' '--help:show help');;
    "memory unhide") c=(); o=('--json:print JSON' '--help:show help');;
    "memory confirm") c=(); o=('--json:print JSON' '--help:show help');;
    "memory redact") c=(); o=('--text:print what is left of the text instead' '--stored:check everything memoir stores, and remove what today’s rules find' '--dry-run:with --stored: only show what would be removed' '--yes:with --stored: remove without asking' '--backups:with --stored: also remove backups that hold it' '--json:print JSON' '--help:show help');;
    "memory backup") c=(); o=('--list:show which backups there are' '--verify:read every byte of every backup, and say whether it is whole' '--to:make it in this folder; the rule of what is kept does not look there' '--json:print JSON' '--help:show help');;
    "memory restore") c=(); o=('--all:put the journal, what Endless Mode keeps and the counts of model calls back too' '--config:put config.json back as well' '--dry-run:only show what would change' '--yes:do not ask' '--json:print JSON' '--help:show help');;
    "memory export") c=(); o=('--project:only this project (name or id; . is this folder’s)' '--since:not older than 2h, 3d, yesterday, last week, 2026-11-21 or an ISO time' '--json:print what was written as JSON' '--help:show help');;
    "memory import") c=(); o=('--from:another program’s memory' '--map:with --from: the folder of a project that it knows by name only; may be repeated' '--dry-run:only say what would be stored' '--json:print JSON' '--help:show help');;
    "session") c=('dump:print a session to be read: what was asked, said and done' 'markdown:print every line and field of a transcript as Markdown' 'context:print what an observation is given around a tool use' 'examples:print requests with the reasoning that followed them' 'stats:count entries, tools, tokens and cost; a folder is added up' 'validate:name the lines that cannot be read; exits with 1 when there are any' 'list:list recorded sessions, newest first'); o=('--help:show help');;
    "session dump") c=(); o=('--last:the session that changed last' '--thinking:also what the model thought' '--json:print JSON, an object a line' '--help:show help');;
    "session markdown") c=(); o=('--last:the session that changed last' '--json:print JSON, an object a line' '--help:show help');;
    "session context") c=(); o=('--last:the session that changed last' '--tool:the tool use; default: the last one' '--json:print JSON' '--help:show help');;
    "session examples") c=(); o=('--last:the session that changed last' '--limit:how many at most (1 to 1000)' '--json:print JSON' '--help:show help');;
    "session stats") c=(); o=('--last:the session that changed last' '--json:print JSON' '--help:show help');;
    "session validate") c=(); o=('--last:the session that changed last' '--json:print JSON' '--help:show help');;
    "session list") c=(); o=('--limit:how many at most (1 to 10000)' '--json:print JSON' '--help:show help');;
    "server") c=('status:show what was captured, what became of it, and how the server is doing' 'start:start the server in the background; a newer binary takes over from an older one' 'stop:finish what is under way and stop the server' 'retry:put work that was given up after its last try back to work'); o=('--help:show help');;
    "server status") c=(); o=('--json:print JSON' '--help:show help');;
    "server start") c=(); o=('--json:print JSON' '--help:show help');;
    "server stop") c=(); o=('--json:print JSON' '--help:show help');;
    "server retry") c=(); o=('--json:print JSON' '--help:show help');;
    "endless") c=('on:switch strategies on, in this folder’s project unless you say otherwise' 'off:switch them off again; without a name, all of them' 'gateway:the way through memoir to the model’s API, for the strategy of that name' 'status:what is on where, what was left out and fetched back, and what does not pay' 'metrics:what was left out by tool and strategy, and what the agent’s requests took' 'restore:give a session’s transcript the bytes back that it had before memoir rewrote it'); o=('--help:show help');;
    "endless on") c=(); o=('--session:only in this session' '--everywhere:in every project' '--json:print JSON' '--help:show help');;
    "endless off") c=(); o=('--session:only in this session' '--everywhere:in every project' '--json:print JSON' '--help:show help');;
    "endless gateway") c=('on:listen on this machine, and lead the client through it by its settings' 'off:give the client’s settings back, byte for byte' 'status:where requests go, what became of them, and the sums of the last batches'); o=('--help:show help');;
    "endless gateway on") c=(); o=('--json:print JSON' '--help:show help');;
    "endless gateway off") c=(); o=('--json:print JSON' '--help:show help');;
    "endless gateway status") c=(); o=('--json:print JSON' '--help:show help');;
    "endless status") c=(); o=('--json:print JSON' '--help:show help');;
    "endless metrics") c=(); o=('--since:2h, 7d, yesterday, 2026-11-21 or an ISO time' '--project:only this project; . is this folder’s' '--session:only this session' '--json:print JSON' '--help:show help');;
    "endless restore") c=(); o=('--dry-run:say what would be done, change nothing' '--json:print JSON' '--help:show help');;
    "uninstall") c=(); o=('--dry-run:show what would change, change nothing' '--yes:do not ask' '--delete-memory:also delete everything memoir remembers' '--json:print JSON' '--help:show help');;
    "completions") c=('bash' 'zsh' 'fish'); o=('--json:print JSON' '--help:show help');;
    "upgrade") c=(); o=('--from:the folder of the release; remembered as upgrade.from in config' '--check:only say whether there is another version' '--back:put the version of before the last upgrade in place again' '--json:print JSON' '--help:show help');;
    "demo") c=(); o=('--keep:leave the throw-away home in place and say where it is' '--json:print JSON' '--help:show help');;
    "version") c=(); o=('--json:print JSON' '--help:show help');;
    "provider") c=('list:every provider, and which are asked in which order' 'test:make a tiny call, and say in words what is wrong if it fails' 'key:store a provider’s key, typed unseen or from stdin, in a file only you can read'); o=('--help:show help');;
    "provider list") c=(); o=('--json:print JSON' '--help:show help');;
    "provider test") c=(); o=('--json:print JSON' '--help:show help');;
    "provider key") c=(); o=('--remove:take the key out again' '--json:print JSON' '--help:show help');;
    "recall") c=(); o=('--part:which half of the tool use' '--lines:only these lines, such as 120-180' '--grep:only lines that match, with their numbers' '--page:long texts come in pages' '--json:print all of it as JSON, the value exactly as it was' '--help:show help');;
    "store-memory") c=(); o=('--project:the project, by name or id' '--session:the client’s session id' '--title:3 to 8 words' '--subtitle:at most 24 words: what it means' '--facts:a JSON list of 1 to 7 facts, 50 to 150 characters each' '--concepts:a JSON list of 1 to 5 broad categories' '--files:a JSON list of the files it is about;  for none' '--date:when it happened: 2026-11-21 or an ISO time' '--type:what kind of finding (discovery by default)' '--narrative:the whole story' '--prompt:the number of the prompt it belongs to' '--id:a name of yours: what was stored under it is not stored again' '--json:print JSON' '--help:show help');;
    "update-session-metadata") c=(); o=('--project:the project, by name or id' '--session:the client’s session id' '--title:3 to 6 words' '--subtitle:at most 20 words' '--json:print JSON' '--help:show help');;
    "store-overview") c=(); o=('--project:the project, by name or id' '--session:the client’s session id' '--content:what was done, the state it is in, key decisions' '--request:what the user wanted' '--learned:what was found out about the project' '--next-steps:what remains' '--json:print JSON' '--help:show help');;
    "serve") c=(); o=('--json:print JSON' '--help:show help');;
    "mcp") c=(); o=('--json:its messages are JSON in any case' '--help:show help');;
    "hook") c=(); o=('--home:memoir’s home, when the client’s environment does not name it' '--json:nothing else is ever printed' '--help:show help');;
  esac
  if [[ "${words[CURRENT]}" == -* ]]; then _describe option o
  elif (( $#c )); then _describe command c
  else _files
  fi
}
compdef _memoir memoir
