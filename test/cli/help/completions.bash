# bash completion of memoir; put this into ~/.bashrc:  source <(memoir completions bash)
_memoir_asked() {
  local v
  while IFS=$'	' read -r v _; do
    [[ $v == "$cur"* ]] && COMPREPLY+=("$(printf %q "$v")")
  done < <(memoir completions bash --of "$1" 2>/dev/null)
}
_memoir() {
  local p="" w c="" o="" a="" cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  for w in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "${p:+$p }$w" in
      "install"|"status"|"search"|"show"|"open"|"context"|"sessions"|"backfill"|"doctor"|"config"|"config show"|"config get"|"config set"|"config unset"|"config path"|"config schema"|"plugin"|"plugin list"|"plugin info"|"plugin enable"|"plugin disable"|"plugin new"|"plugin check"|"plugin test"|"plugin dev"|"plugin docs"|"plugin add"|"plugin remove"|"plugin trust"|"memory"|"memory reindex"|"memory forget"|"memory prune"|"memory timeline"|"memory related"|"memory stats"|"memory edit"|"memory merge"|"memory pin"|"memory unpin"|"memory hide"|"memory unhide"|"memory confirm"|"memory projects"|"memory projects list"|"memory projects join"|"memory projects split"|"memory projects rename"|"memory redact"|"memory backup"|"memory restore"|"memory export"|"memory import"|"sync"|"sync init"|"sync invite"|"sync join"|"sync share"|"sync unshare"|"sync status"|"sync now"|"sync members"|"sync remove"|"sync leave"|"session"|"session dump"|"session markdown"|"session context"|"session examples"|"session stats"|"session validate"|"session list"|"server"|"server status"|"server start"|"server stop"|"server retry"|"endless"|"endless on"|"endless off"|"endless gateway"|"endless gateway on"|"endless gateway off"|"endless gateway status"|"endless status"|"endless metrics"|"endless restore"|"ask"|"demo"|"provider"|"provider list"|"provider test"|"provider key"|"upgrade"|"uninstall"|"completions"|"version"|"recall"|"store-memory"|"update-session-metadata"|"store-overview"|"serve"|"mcp"|"hook") p="${p:+$p }$w";;
    esac
  done
  case "$p $prev" in
    "install --scope") COMPREPLY=($(compgen -W "user project local" -- "$cur")); return;;
    "search -p"|"search --project") _memoir_asked project; return;;
    "search -s"|"search --session") _memoir_asked session; return;;
    "search --kind") COMPREPLY=($(compgen -W "observation summary prompt session memory turn" -- "$cur")); return;;
    "search --level") COMPREPLY=($(compgen -W "sessions summaries titles facts narratives" -- "$cur")); return;;
    "context --source") COMPREPLY=($(compgen -W "startup resume clear compact" -- "$cur")); return;;
    "sessions -p"|"sessions --project") _memoir_asked project; return;;
    "backfill --provider") _memoir_asked provider; return;;
    "memory forget -s"|"memory forget --session") _memoir_asked session; return;;
    "memory forget -p"|"memory forget --project") _memoir_asked project; return;;
    "memory timeline -p"|"memory timeline --project") _memoir_asked project; return;;
    "memory timeline -s"|"memory timeline --session") _memoir_asked session; return;;
    "memory related -p"|"memory related --project") _memoir_asked project; return;;
    "memory related --kind") COMPREPLY=($(compgen -W "observation summary prompt session memory turn" -- "$cur")); return;;
    "memory stats -p"|"memory stats --project") _memoir_asked project; return;;
    "memory pin -p"|"memory pin --project") _memoir_asked project; return;;
    "memory hide -p"|"memory hide --project") _memoir_asked project; return;;
    "memory export -p"|"memory export --project") _memoir_asked project; return;;
    "memory export --to") _memoir_asked plugin; return;;
    "memory import --from") COMPREPLY=($(compgen -W "claude-mem" -- "$cur")); return;;
    "sync invite --role") COMPREPLY=($(compgen -W "owner writer reader" -- "$cur")); return;;
    "sync invite --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "sync share --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "sync unshare --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "sync members --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "sync remove --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "sync leave --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "endless on --session") _memoir_asked id; return;;
    "endless off --session") _memoir_asked id; return;;
    "endless metrics -p"|"endless metrics --project") _memoir_asked project; return;;
    "endless metrics -s"|"endless metrics --session") _memoir_asked session; return;;
    "ask -p"|"ask --project") _memoir_asked project; return;;
    "ask -s"|"ask --session") _memoir_asked session; return;;
    "recall --part") COMPREPLY=($(compgen -W "input output" -- "$cur")); return;;
    "store-memory -p"|"store-memory --project") _memoir_asked project; return;;
    "store-memory -s"|"store-memory --session") _memoir_asked session; return;;
    "store-memory --type") COMPREPLY=($(compgen -W "decision bugfix feature refactor change discovery" -- "$cur")); return;;
    "update-session-metadata -p"|"update-session-metadata --project") _memoir_asked project; return;;
    "update-session-metadata -s"|"update-session-metadata --session") _memoir_asked session; return;;
    "store-overview -p"|"store-overview --project") _memoir_asked project; return;;
    "store-overview -s"|"store-overview --session") _memoir_asked session; return;;
  esac
  case "$p" in
    "") c="install status search show open context sessions backfill doctor config plugin memory sync session server endless ask demo provider upgrade uninstall completions version recall store-memory update-session-metadata store-overview serve mcp hook"; o="--version --help"; a="";;
    "install") c=""; o="--all --scope --dry-run --yes --binary --no-allow-tools --json --help"; a="";;
    "status") c=""; o="--json --help"; a="";;
    "search") c=""; o="--project --session --type --concept --file --since --until --client --by --kind --level --also --explain --limit --ask --json --help"; a="";;
    "show") c=""; o="--json --help"; a="id";;
    "open") c=""; o="--print --json --help"; a="";;
    "context") c=""; o="--cwd --source --prompt --why --json --help"; a="";;
    "sessions") c=""; o="--project --client --by --since --until --limit --json --help"; a="session";;
    "backfill") c=""; o="--project --since --provider --dry-run --yes --json --help"; a="";;
    "doctor") c=""; o="--seen --bundle --json --help"; a="";;
    "config") c="show get set unset path schema"; o="--help"; a="";;
    "config show") c=""; o="--all --json --help"; a="";;
    "config get") c=""; o="--json --help"; a="key";;
    "config set") c=""; o="--json --help"; a="key";;
    "config unset") c=""; o="--json --help"; a="key";;
    "config path") c=""; o="--json --help"; a="";;
    "config schema") c=""; o="--json --help"; a="";;
    "plugin") c="list info enable disable new check test dev docs add remove trust"; o="--help"; a="";;
    "plugin list") c=""; o="--all --json --help"; a="";;
    "plugin info") c=""; o="--json --help"; a="plugin";;
    "plugin enable") c=""; o="--json --help"; a="plugin";;
    "plugin disable") c=""; o="--json --help"; a="plugin";;
    "plugin new") c=""; o="--json --help"; a="";;
    "plugin check") c=""; o="--json --help"; a="plugin";;
    "plugin test") c=""; o="--json --help"; a="plugin";;
    "plugin dev") c=""; o="--transcript --payloads --recorded --provider --once --json --help"; a="plugin";;
    "plugin docs") c=""; o="--list --write --json --help"; a="";;
    "plugin add") c=""; o="--yes --json --help"; a="";;
    "plugin remove") c=""; o="--json --help"; a="plugin";;
    "plugin trust") c=""; o="--yes --revoke --json --help"; a="";;
    "memory") c="reindex forget prune timeline related stats edit merge pin unpin hide unhide confirm projects redact backup restore export import"; o="--help"; a="";;
    "memory reindex") c=""; o="--json --help"; a="";;
    "memory forget") c=""; o="--session --project --file --query --since --until --dry-run --derived --backups --yes --json --help"; a="id";;
    "memory prune") c=""; o="--dry-run --yes --json --help"; a="";;
    "memory timeline") c=""; o="--project --session --client --by --since --until --limit --json --help"; a="id";;
    "memory related") c=""; o="--project --since --until --client --kind --limit --json --help"; a="id";;
    "memory stats") c=""; o="--since --project --model --json --help"; a="";;
    "memory edit") c=""; o="--title --subtitle --text --fact --context --set --undo --json --help"; a="id";;
    "memory merge") c=""; o="--json --help"; a="id";;
    "memory pin") c=""; o="--project --json --help"; a="id";;
    "memory unpin") c=""; o="--json --help"; a="id";;
    "memory hide") c=""; o="--project --json --help"; a="id";;
    "memory unhide") c=""; o="--json --help"; a="id";;
    "memory confirm") c=""; o="--json --help"; a="id";;
    "memory projects") c="list join split rename"; o="--help"; a="";;
    "memory projects list") c=""; o="--json --help"; a="";;
    "memory projects join") c=""; o="--json --help"; a="project";;
    "memory projects split") c=""; o="--json --help"; a="project";;
    "memory projects rename") c=""; o="--json --help"; a="project";;
    "memory redact") c=""; o="--text --stored --dry-run --yes --backups --json --help"; a="";;
    "memory backup") c=""; o="--list --verify --to --json --help"; a="";;
    "memory restore") c=""; o="--all --config --dry-run --yes --json --help"; a="backup";;
    "memory export") c=""; o="--project --since --to --json --help"; a="";;
    "memory import") c=""; o="--from --map --dry-run --json --help"; a="";;
    "sync") c="init invite join share unshare status now members remove leave"; o="--help"; a="";;
    "sync init") c=""; o="--team --mine --as --machine --json --help"; a="";;
    "sync invite") c=""; o="--role --key --label --days --space --json --help"; a="";;
    "sync join") c=""; o="--folder --as --machine --json --help"; a="";;
    "sync share") c=""; o="--space --json --help"; a="project";;
    "sync unshare") c=""; o="--space --take-back --json --help"; a="project";;
    "sync status") c=""; o="--json --help"; a="";;
    "sync now") c=""; o="--json --help"; a="";;
    "sync members") c=""; o="--space --json --help"; a="";;
    "sync remove") c=""; o="--space --yes --json --help"; a="";;
    "sync leave") c=""; o="--space --force --take-back --yes --json --help"; a="";;
    "session") c="dump markdown context examples stats validate list"; o="--help"; a="";;
    "session dump") c=""; o="--last --thinking --json --help"; a="";;
    "session markdown") c=""; o="--last --json --help"; a="";;
    "session context") c=""; o="--last --tool --json --help"; a="";;
    "session examples") c=""; o="--last --limit --json --help"; a="";;
    "session stats") c=""; o="--last --json --help"; a="";;
    "session validate") c=""; o="--last --json --help"; a="";;
    "session list") c=""; o="--limit --json --help"; a="";;
    "server") c="status start stop retry"; o="--help"; a="";;
    "server status") c=""; o="--json --help"; a="";;
    "server start") c=""; o="--json --help"; a="";;
    "server stop") c=""; o="--json --help"; a="";;
    "server retry") c=""; o="--json --help"; a="";;
    "endless") c="on off gateway status metrics restore"; o="--help"; a="";;
    "endless on") c=""; o="--session --everywhere --json --help"; a="";;
    "endless off") c=""; o="--session --everywhere --json --help"; a="";;
    "endless gateway") c="on off status"; o="--help"; a="";;
    "endless gateway on") c=""; o="--json --help"; a="";;
    "endless gateway off") c=""; o="--json --help"; a="";;
    "endless gateway status") c=""; o="--json --help"; a="";;
    "endless status") c=""; o="--json --help"; a="";;
    "endless metrics") c=""; o="--since --project --session --json --help"; a="";;
    "endless restore") c=""; o="--dry-run --json --help"; a="session";;
    "ask") c=""; o="--project --session --file --since --until --client --by --json --help"; a="";;
    "demo") c=""; o="--keep --json --help"; a="";;
    "provider") c="list test key"; o="--help"; a="";;
    "provider list") c=""; o="--json --help"; a="";;
    "provider test") c=""; o="--json --help"; a="provider";;
    "provider key") c=""; o="--remove --json --help"; a="provider";;
    "upgrade") c=""; o="--from --check --older --unsigned --back --json --help"; a="";;
    "uninstall") c=""; o="--dry-run --yes --delete-memory --json --help"; a="";;
    "completions") c="bash zsh fish"; o="--json --help"; a="";;
    "version") c=""; o="--licenses --json --help"; a="";;
    "recall") c=""; o="--part --lines --grep --page --json --help"; a="";;
    "store-memory") c=""; o="--project --session --title --subtitle --facts --concepts --files --date --type --narrative --prompt --id --json --help"; a="";;
    "update-session-metadata") c=""; o="--project --session --title --subtitle --json --help"; a="";;
    "store-overview") c=""; o="--project --session --content --request --learned --next-steps --json --help"; a="";;
    "serve") c=""; o="--json --help"; a="";;
    "mcp") c=""; o="--json --help"; a="";;
    "hook") c=""; o="--home --json --help"; a="";;
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$o" -- "$cur"));;
    *) COMPREPLY=($(compgen -W "$c" -- "$cur")); if [[ -n $a ]]; then _memoir_asked "$a"; fi;;
  esac
}
complete -o default -F _memoir memoir
