#compdef memoir
# zsh completion of memoir; put this into ~/.zshrc after compinit:  source <(memoir completions zsh)
_memoir_asked() {
  local l
  local -a v
  for l in "${(@f)$(memoir completions zsh --of $1 2>/dev/null)}"; do
    [[ -n $l ]] && v+=("${${l%%$'	'*}//:/\\:}:${l#*$'	'}")
  done
  _describe -V "$1" v
}
_memoir() {
  local p="" w a=""
  local -a c o
  for w in "${(@)words[2,CURRENT-1]}"; do
    case "${p:+$p }$w" in
      "install"|"status"|"search"|"show"|"open"|"context"|"sessions"|"backfill"|"doctor"|"config"|"config show"|"config get"|"config set"|"config unset"|"config path"|"config schema"|"plugin"|"plugin list"|"plugin info"|"plugin enable"|"plugin disable"|"plugin new"|"plugin check"|"plugin test"|"plugin dev"|"plugin docs"|"plugin add"|"plugin remove"|"plugin trust"|"memory"|"memory reindex"|"memory forget"|"memory prune"|"memory timeline"|"memory related"|"memory stats"|"memory edit"|"memory merge"|"memory pin"|"memory unpin"|"memory hide"|"memory unhide"|"memory confirm"|"memory projects"|"memory projects list"|"memory projects join"|"memory projects split"|"memory projects rename"|"memory redact"|"memory backup"|"memory restore"|"memory export"|"memory import"|"sync"|"sync init"|"sync invite"|"sync join"|"sync share"|"sync unshare"|"sync status"|"sync now"|"sync members"|"sync remove"|"sync leave"|"session"|"session dump"|"session markdown"|"session context"|"session examples"|"session stats"|"session validate"|"session list"|"server"|"server status"|"server start"|"server stop"|"server retry"|"endless"|"endless on"|"endless off"|"endless gateway"|"endless gateway on"|"endless gateway off"|"endless gateway status"|"endless status"|"endless metrics"|"endless restore"|"ask"|"demo"|"provider"|"provider list"|"provider test"|"provider key"|"upgrade"|"uninstall"|"completions"|"version"|"recall"|"store-memory"|"update-session-metadata"|"store-overview"|"serve"|"mcp"|"hook") p="${p:+$p }$w";;
    esac
  done
  case "$p ${words[CURRENT-1]}" in
    "install --scope") compadd -- user project local; return;;
    "search -p"|"search --project") _memoir_asked project; return;;
    "search -s"|"search --session") _memoir_asked session; return;;
    "search --kind") compadd -- observation summary prompt session memory turn; return;;
    "search --level") compadd -- sessions summaries titles facts narratives; return;;
    "context --source") compadd -- startup resume clear compact; return;;
    "sessions -p"|"sessions --project") _memoir_asked project; return;;
    "backfill --provider") _memoir_asked provider; return;;
    "memory forget -s"|"memory forget --session") _memoir_asked session; return;;
    "memory forget -p"|"memory forget --project") _memoir_asked project; return;;
    "memory timeline -p"|"memory timeline --project") _memoir_asked project; return;;
    "memory timeline -s"|"memory timeline --session") _memoir_asked session; return;;
    "memory related -p"|"memory related --project") _memoir_asked project; return;;
    "memory related --kind") compadd -- observation summary prompt session memory turn; return;;
    "memory stats -p"|"memory stats --project") _memoir_asked project; return;;
    "memory pin -p"|"memory pin --project") _memoir_asked project; return;;
    "memory hide -p"|"memory hide --project") _memoir_asked project; return;;
    "memory export -p"|"memory export --project") _memoir_asked project; return;;
    "memory export --to") _memoir_asked plugin; return;;
    "memory import --from") compadd -- claude-mem; return;;
    "sync invite --role") compadd -- owner writer reader; return;;
    "sync invite --space") compadd -- mine team; return;;
    "sync share --space") compadd -- mine team; return;;
    "sync unshare --space") compadd -- mine team; return;;
    "sync members --space") compadd -- mine team; return;;
    "sync remove --space") compadd -- mine team; return;;
    "sync leave --space") compadd -- mine team; return;;
    "endless on --session") _memoir_asked id; return;;
    "endless off --session") _memoir_asked id; return;;
    "endless metrics -p"|"endless metrics --project") _memoir_asked project; return;;
    "endless metrics -s"|"endless metrics --session") _memoir_asked session; return;;
    "ask -p"|"ask --project") _memoir_asked project; return;;
    "ask -s"|"ask --session") _memoir_asked session; return;;
    "recall --part") compadd -- input output; return;;
    "store-memory -p"|"store-memory --project") _memoir_asked project; return;;
    "store-memory -s"|"store-memory --session") _memoir_asked session; return;;
    "store-memory --type") compadd -- decision bugfix feature refactor change discovery; return;;
    "update-session-metadata -p"|"update-session-metadata --project") _memoir_asked project; return;;
    "update-session-metadata -s"|"update-session-metadata --session") _memoir_asked session; return;;
    "store-overview -p"|"store-overview --project") _memoir_asked project; return;;
    "store-overview -s"|"store-overview --session") _memoir_asked session; return;;
  esac
  case "$p" in
    "") c=('install:Install memoir and connect your coding agents' 'status:Show what was captured and how the server is doing' 'search:Search your memory' 'show:Show records in full' 'open:Open your memory in the browser' 'context:Print the context a session in this folder would get' 'sessions:List sessions, newest first, or show one' 'backfill:Import recorded sessions, newest first (safe to repeat)' 'doctor:Check the installation and suggest fixes' 'config:Show and change the configuration' 'plugin:Manage plugins and write your own' 'memory:Explore, correct, delete and back up your memory' 'sync:Share memory between machines and with a team' 'session:Read clients’ recorded sessions' 'server:Start and stop the server (it starts by itself)' 'endless:Keep long sessions going by shortening bulky results' 'ask:Answer a question from your memory' 'demo:Replay a sample session to see what memoir does' 'provider:List and test model providers, and store their keys' 'upgrade:Update memoir to the latest release' 'uninstall:Disconnect memoir and remove it (keeps your memory)' 'completions:Print your shell’s completion script' 'version:Print the version' 'recall:Show the original text that Endless Mode left out' 'store-memory:Store an observation (safe to repeat)' 'update-session-metadata:Set a session’s title and subtitle' 'store-overview:Store a session’s overview in two or three sentences' 'serve:Run the server in the foreground' 'mcp:Serve memoir’s tools to an agent: MCP on stdin and stdout' 'hook:Handle a client’s event (run by the client)'); o=('--version:print the version' '--help:Show help'); a="";;
    "install") c=(); o=('--all:Connect every client on this machine' '--scope:Whose settings: yours, the project’s, or yours for this project' '--dry-run:Show what would change, change nothing' '--yes:Don’t ask' '--binary:Install this binary instead of the running one' '--no-allow-tools:Let the client ask before the agent looks something up in memory' '--json:Print JSON' '--help:Show help'); a="";;
    "status") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "search") c=(); o=('--project:Only this project (name or id; . means this folder’s)' '--session:Only this session (the beginning of its id is enough)' '--type:Only this type: decision, bugfix, feature, refactor, change, discovery; or a strategy’s own' '--concept:Only observations with this concept' '--file:Only what touched this file (the end of its path is enough)' '--since:Only from this time on' '--until:Only before this time' '--client:Only sessions of this client: claude-code, codex, …' '--by:Only what this person or machine made; me for yourself' '--kind:Only these kinds of record' '--level:What to search, from coarse to fine' '--also:The same question in other words, names, file or error text' '--explain:Say why each result is there' '--limit:How many at most' '--ask:Answer in a few sentences, as memoir ask does' '--json:Print JSON' '--help:Show help'); a="";;
    "show") c=(); o=('--json:Print JSON' '--help:Show help'); a="id";;
    "open") c=(); o=('--print:Only print the link; it works once and expires in a minute' '--json:Print JSON' '--help:Show help'); a="";;
    "context") c=(); o=('--cwd:Another folder' '--source:How the session starts' '--prompt:Print what this prompt would get instead' '--why:Also list the rules and decisions left out, and why' '--json:Print JSON' '--help:Show help'); a="";;
    "sessions") c=(); o=('--project:Only this project (name or id; . means this folder’s)' '--client:Only sessions of this client: claude-code, codex, …' '--by:Only what this person or machine made; me for yourself' '--since:Only from this time on' '--until:Only before this time' '--limit:How many at most' '--json:Print JSON' '--help:Show help'); a="session";;
    "backfill") c=(); o=('--project:Only sessions in this folder (its name or path; . is this one)' '--since:Only sessions active after this time' '--provider:Allow this active provider, or none to ask no model' '--dry-run:Show what would be imported, import nothing' '--yes:Don’t ask; with an active provider, also pass --provider' '--json:Print JSON' '--help:Show help'); a="";;
    "doctor") c=(); o=('--seen:Mark the findings about memoir’s files as seen' '--bundle:Print what a bug report needs, without texts and secrets; also write it to a file' '--json:Print JSON' '--help:Show help'); a="";;
    "config") c=('show:Show what you set' 'get:Print the value in effect' 'set:Check and set a value' 'unset:Reset a value to its default' 'path:Print the path of the config file' 'schema:Print the JSON schema for editors'); o=('--help:Show help'); a="";;
    "config show") c=(); o=('--all:Also show every default' '--json:Print JSON' '--help:Show help'); a="";;
    "config get") c=(); o=('--json:Print JSON' '--help:Show help'); a="key";;
    "config set") c=(); o=('--json:Print JSON' '--help:Show help'); a="key";;
    "config unset") c=(); o=('--json:Print JSON' '--help:Show help'); a="key";;
    "config path") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "config schema") c=(); o=('--json:No effect: a schema is JSON' '--help:Show help'); a="";;
    "plugin") c=('list:List plugins with their slots, hooks and cost' 'info:Show everything about one plugin' 'enable:Enable a plugin and register the events it needs' 'disable:Disable a plugin and unregister the events it needed' 'new:Create a working plugin with a test' 'check:Check a plugin’s types, contract, hooks and load time' 'test:Test a plugin against its slot’s promises and its tests' 'dev:Watch a plugin and replay events through it on save' 'docs:Print the author’s guide, the reference and examples' 'add:Install a plugin from npm, a path or a tarball' 'remove:Remove an added plugin (your own files stay)' 'trust:Trust a project’s plugins as their files are now'); o=('--help:Show help'); a="";;
    "plugin list") c=(); o=('--all:Also list built-in plugins that are off' '--json:Print JSON' '--help:Show help'); a="";;
    "plugin info") c=(); o=('--json:Print JSON' '--help:Show help'); a="plugin";;
    "plugin enable") c=(); o=('--json:Print JSON' '--help:Show help'); a="plugin";;
    "plugin disable") c=(); o=('--json:Print JSON' '--help:Show help'); a="plugin";;
    "plugin new") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "plugin check") c=(); o=('--json:Print JSON' '--help:Show help'); a="plugin";;
    "plugin test") c=(); o=('--json:Print JSON' '--help:Show help'); a="plugin";;
    "plugin dev") c=(); o=('--transcript:Replay this transcript of Claude Code or the plugin’s client' '--payloads:Show what these recorded payloads of the plugin’s client become' '--recorded:Replay the journal’s last session (memoir’s own sample by default)' '--provider:Also ask your configured model provider, at its price' '--once:Run once, without watching' '--json:Print JSON' '--help:Show help'); a="plugin";;
    "plugin docs") c=(); o=('--list:List the topics' '--write:Write all of it, with the type declarations, to a folder' '--json:Print JSON' '--help:Show help'); a="";;
    "plugin add") c=(); o=('--yes:Don’t ask' '--json:Print JSON' '--help:Show help'); a="";;
    "plugin remove") c=(); o=('--json:Print JSON' '--help:Show help'); a="plugin";;
    "plugin trust") c=(); o=('--yes:Don’t ask' '--revoke:Stop trusting it' '--json:Print JSON' '--help:Show help'); a="";;
    "memory") c=('reindex:Rebuild the search index' 'forget:Delete records or sessions permanently' 'prune:Apply the retention policy now' 'timeline:Show what happened, in order' 'related:List related records' 'stats:Show cost and savings by day and project' 'edit:Edit a record' 'merge:Merge duplicate records' 'pin:Pin records to the top of every context' 'unpin:Unpin records' 'hide:Hide records from agents' 'unhide:Show hidden or merged records to agents again' 'confirm:Confirm suggested decisions and preferences' 'projects:List, join, split and rename projects' 'redact:Show what redaction would remove from a text' 'backup:Back up memory and settings' 'restore:Restore a backup (saves the current state first)' 'export:Export your memory as JSON lines' 'import:Import an export or another program’s memory'); o=('--help:Show help'); a="";;
    "memory reindex") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "memory forget") c=(); o=('--session:Only this session (the beginning of its id is enough)' '--project:Only this project (name or id; . means this folder’s)' '--file:Only what touched this file (the end of its path is enough)' '--query:Search for these words and choose among the results' '--since:Only from this time on' '--until:Only before this time' '--dry-run:Only show what would be deleted' '--derived:Also delete observations, summaries and memory items made from it' '--backups:Also delete whole backups and damaged files that still hold it' '--yes:Delete without asking' '--json:Print JSON' '--help:Show help'); a="id";;
    "memory prune") c=(); o=('--dry-run:Only show what would be deleted' '--yes:Delete without asking' '--json:Print JSON' '--help:Show help'); a="";;
    "memory timeline") c=(); o=('--project:Only this project (name or id; . means this folder’s)' '--session:Only this session (the beginning of its id is enough)' '--client:Only sessions of this client: claude-code, codex, …' '--by:Only what this person or machine made; me for yourself' '--since:Only from this time on' '--until:Only before this time' '--limit:How many at most' '--json:Print JSON' '--help:Show help'); a="id";;
    "memory related") c=(); o=('--project:Only this project (name or id; . means this folder’s)' '--since:Only from this time on' '--until:Only before this time' '--client:Only sessions of this client: claude-code, codex, …' '--kind:Only these kinds of record' '--limit:How many at most' '--json:Print JSON' '--help:Show help'); a="id";;
    "memory stats") c=(); o=('--since:Only from this time on' '--project:Only this project (name or id; . means this folder’s)' '--model:Price tokens at this model’s list price; default claude-sonnet-5-5' '--json:Print JSON' '--help:Show help'); a="";;
    "memory edit") c=(); o=('--title:Title of an observation or a session' '--subtitle:Subtitle of an observation or a session' '--text:Main text: an observation’s narrative, a memory item’s content, what was completed' '--fact:A fact of an observation, replacing all it had' '--context:Context of a memory item' '--set:Any other text: next-steps=…' '--undo:Restore the text from before it was edited' '--json:Print JSON' '--help:Show help'); a="id";;
    "memory merge") c=(); o=('--json:Print JSON' '--help:Show help'); a="id";;
    "memory pin") c=(); o=('--project:List only this project’s (name or id)' '--json:Print JSON' '--help:Show help'); a="id";;
    "memory unpin") c=(); o=('--json:Print JSON' '--help:Show help'); a="id";;
    "memory hide") c=(); o=('--project:List only this project’s (name or id)' '--json:Print JSON' '--help:Show help'); a="id";;
    "memory unhide") c=(); o=('--json:Print JSON' '--help:Show help'); a="id";;
    "memory confirm") c=(); o=('--json:Print JSON' '--help:Show help'); a="id";;
    "memory projects") c=('list:List projects and point out likely duplicates' 'join:Join several projects into one' 'split:Split folders or joined projects into their own projects' 'rename:Rename a project'); o=('--help:Show help'); a="";;
    "memory projects list") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "memory projects join") c=(); o=('--json:Print JSON' '--help:Show help'); a="project";;
    "memory projects split") c=(); o=('--json:Print JSON' '--help:Show help'); a="project";;
    "memory projects rename") c=(); o=('--json:Print JSON' '--help:Show help'); a="project";;
    "memory redact") c=(); o=('--text:Print the redacted text instead' '--stored:Check everything memoir stores, and remove what today’s rules find' '--dry-run:With --stored: only show what would be removed' '--yes:With --stored: remove without asking' '--backups:With --stored: also remove backups that hold it' '--json:Print JSON' '--help:Show help'); a="";;
    "memory backup") c=(); o=('--list:List the backups' '--verify:Read every byte of every backup and report damage' '--to:Write it to this folder, where retention does not apply' '--json:Print JSON' '--help:Show help'); a="";;
    "memory restore") c=(); o=('--all:Also restore the journal, Endless Mode’s originals and the model call counts' '--config:Also restore config.json' '--dry-run:Only show what would change' '--yes:Restore without asking' '--json:Print JSON' '--help:Show help'); a="backup";;
    "memory export") c=(); o=('--project:Only this project (name or id; . is this folder’s)' '--since:Only from this time on' '--to:Export in this plugin’s own format' '--json:Print a report as JSON' '--help:Show help'); a="";;
    "memory import") c=(); o=('--from:Another program’s memory' '--map:With --from: the folder of a project it only knows by name' '--dry-run:Only show what would be stored' '--json:Print JSON' '--help:Show help'); a="";;
    "sync") c=('init:Create a space on a hub that can’t read it' 'invite:Create an invitation for another machine or person' 'join:Join a space with an invitation' 'share:Share a project' 'unshare:Keep a project local' 'status:Show the hub, what is shared, and what came from whom' 'now:Sync now and wait for it' 'members:List who is in a space' 'remove:Remove a member and change the space’s key' 'leave:Leave a space'); o=('--help:Show help'); a="";;
    "sync init") c=(); o=('--team:For several people; nothing is shared until you share a project' '--mine:For your own machines, also beside a team’s space; shares every project' '--as:How others see you; default: your user name' '--machine:How others see this machine; default: its name' '--json:Print JSON' '--help:Show help'); a="";;
    "sync invite") c=(); o=('--role:What it allows' '--key:For containers and CI: any number of homes, until you remove it' '--label:How memoir sync members lists it' '--days:Days until it expires; default 7, a key doesn’t' '--space:Which space, if this home is in two' '--json:Print JSON' '--help:Show help'); a="";;
    "sync join") c=(); o=('--folder:Where the synced folder is on this machine' '--as:How others see you; default: your user name' '--machine:How others see this machine; default: its name' '--json:Print JSON' '--help:Show help'); a="";;
    "sync share") c=(); o=('--space:Which space, if this home is in two' '--json:Print JSON' '--help:Show help'); a="project";;
    "sync unshare") c=(); o=('--space:Which space, if this home is in two' '--take-back:Ask the others to remove what this home sent; copies stay' '--json:Print JSON' '--help:Show help'); a="project";;
    "sync status") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "sync now") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "sync members") c=(); o=('--space:Which space, if this home is in two' '--json:Print JSON' '--help:Show help'); a="";;
    "sync remove") c=(); o=('--space:Which space, if this home is in two' '--yes:Remove without asking' '--json:Print JSON' '--help:Show help'); a="";;
    "sync leave") c=(); o=('--space:Which space, if this home is in two' '--force:Leave on this machine even if the hub is away or doesn’t know the space' '--take-back:Ask the others to remove what this home sent; copies stay' '--yes:Leave without asking' '--json:Print JSON' '--help:Show help'); a="";;
    "session") c=('dump:Print a session for reading' 'markdown:Print every line and field of a transcript as Markdown' 'context:Print what an observation gets around a tool use' 'examples:Print requests with the reasoning that followed them' 'stats:Count entries, tools, tokens and cost, of a folder too' 'validate:List lines that can’t be read (exits with 1 if any)' 'list:List recorded sessions, newest first'); o=('--help:Show help'); a="";;
    "session dump") c=(); o=('--last:The session that changed last' '--thinking:Also print what the model thought' '--json:Print JSON, one object per line' '--help:Show help'); a="";;
    "session markdown") c=(); o=('--last:The session that changed last' '--json:Print JSON, one object per line' '--help:Show help'); a="";;
    "session context") c=(); o=('--last:The session that changed last' '--tool:The tool use; the last one by default' '--json:Print JSON' '--help:Show help'); a="";;
    "session examples") c=(); o=('--last:The session that changed last' '--limit:How many at most' '--json:Print JSON' '--help:Show help'); a="";;
    "session stats") c=(); o=('--last:The session that changed last' '--json:Print JSON' '--help:Show help'); a="";;
    "session validate") c=(); o=('--last:The session that changed last' '--json:Print JSON' '--help:Show help'); a="";;
    "session list") c=(); o=('--limit:How many at most' '--json:Print JSON' '--help:Show help'); a="";;
    "server") c=('status:Show what was captured and how the server is doing' 'start:Start the server in the background' 'stop:Stop the server' 'retry:Retry failed work'); o=('--help:Show help'); a="";;
    "server status") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "server start") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "server stop") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "server retry") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "endless") c=('on:Turn strategies on, in this folder’s project by default' 'off:Turn strategies off' 'gateway:Route the client’s model requests through memoir' 'status:Show what is on, what was left out and what pays off' 'metrics:Show what was left out and what requests took' 'restore:Restore a transcript to the bytes it had before'); o=('--help:Show help'); a="";;
    "endless on") c=(); o=('--session:Only in this session' '--everywhere:In every project' '--json:Print JSON' '--help:Show help'); a="";;
    "endless off") c=(); o=('--session:Only in this session' '--everywhere:In every project' '--json:Print JSON' '--help:Show help'); a="";;
    "endless gateway") c=('on:Start the gateway and point the client at it' 'off:Restore the client’s settings exactly' 'status:Show where requests go and what came of them'); o=('--help:Show help'); a="";;
    "endless gateway on") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "endless gateway off") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "endless gateway status") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "endless status") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "endless metrics") c=(); o=('--since:Only from this time on' '--project:Only this project (name or id; . means this folder’s)' '--session:Only this session (the beginning of its id is enough)' '--json:Print JSON' '--help:Show help'); a="";;
    "endless restore") c=(); o=('--dry-run:Show what would be done, change nothing' '--json:Print JSON' '--help:Show help'); a="session";;
    "ask") c=(); o=('--project:Only this project (name or id; . means this folder’s)' '--session:Only this session (the beginning of its id is enough)' '--file:Only what touched this file (the end of its path is enough)' '--since:Only from this time on' '--until:Only before this time' '--client:Only sessions of this client: claude-code, codex, …' '--by:Only what this person or machine made; me for yourself' '--json:Print JSON' '--help:Show help'); a="";;
    "demo") c=(); o=('--keep:Keep the temporary home and say where it is' '--json:Print JSON' '--help:Show help'); a="";;
    "provider") c=('list:List providers and the order they are asked in' 'test:Make a tiny call and explain what failed' 'key:Store a provider’s key in a file only you can read'); o=('--help:Show help'); a="";;
    "provider list") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "provider test") c=(); o=('--json:Print JSON' '--help:Show help'); a="provider";;
    "provider key") c=(); o=('--remove:Remove the key' '--json:Print JSON' '--help:Show help'); a="provider";;
    "upgrade") c=(); o=('--from:The folder of the release; saved as upgrade.from in config' '--check:Only check whether there is a newer version' '--older:Install the release even if it is older than what runs here' '--unsigned:Install an unsigned release if no key is known' '--back:Go back to the version from before the last upgrade' '--json:Print JSON' '--help:Show help'); a="";;
    "uninstall") c=(); o=('--dry-run:Show what would change, change nothing' '--yes:Don’t ask' '--delete-memory:Also delete your memory' '--json:Print JSON' '--help:Show help'); a="";;
    "completions") c=('bash' 'zsh' 'fish'); o=('--json:Print JSON' '--help:Show help'); a="";;
    "version") c=(); o=('--licenses:Print the licenses of everything in the binary instead' '--json:Print JSON' '--help:Show help'); a="";;
    "recall") c=(); o=('--part:Which half of the tool use; by default what was left out' '--lines:Only these lines, such as 120-180' '--grep:Only lines that match this regular expression, with their numbers' '--page:Which page of a long text' '--json:Print all of it as JSON, exactly as it was' '--help:Show help'); a="";;
    "store-memory") c=(); o=('--project:The project, by name or id' '--session:The client’s session id' '--title:3 to 8 words' '--subtitle:At most 24 words: what it means' '--facts:A JSON list of 1 to 7 facts, 50 to 150 characters each' '--concepts:A JSON list of 1 to 5 broad categories' '--files:A JSON list of the files it is about;  for none' '--date:When it happened: 2026-11-21 or an ISO time' '--type:What kind of finding (discovery by default)' '--narrative:The whole story' '--prompt:The number of the prompt it belongs to' '--id:Your own key: nothing is stored twice under it' '--json:Print JSON' '--help:Show help'); a="";;
    "update-session-metadata") c=(); o=('--project:The project, by name or id' '--session:The client’s session id' '--title:3 to 8 words' '--subtitle:At most 20 words' '--json:Print JSON' '--help:Show help'); a="";;
    "store-overview") c=(); o=('--project:The project, by name or id' '--session:The client’s session id' '--content:What was done, its state, key decisions' '--request:What the user wanted' '--learned:What was found out about the project' '--next-steps:What remains to do' '--json:Print JSON' '--help:Show help'); a="";;
    "serve") c=(); o=('--json:Print JSON' '--help:Show help'); a="";;
    "mcp") c=(); o=('--json:No effect: its messages are JSON' '--help:Show help'); a="";;
    "hook") c=(); o=('--home:memoir’s home, if the client’s environment doesn’t name it' '--json:No effect: it only prints JSON' '--help:Show help'); a="";;
  esac
  if [[ "${words[CURRENT]}" == -* ]]; then _describe option o
  elif [[ -n $a ]]; then _memoir_asked $a
  elif (( $#c )); then _describe command c
  else _files
  fi
}
compdef _memoir memoir
