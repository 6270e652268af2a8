# bash completion of memoir; put this into ~/.bashrc:  source <(memoir completions bash)
_memoir() {
  local p="" w c="" o="" cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"
  for w in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "${p:+$p }$w" in
      "install"|"status"|"search"|"ask"|"show"|"sessions"|"context"|"open"|"backfill"|"doctor"|"config"|"config show"|"config get"|"config set"|"config unset"|"config path"|"config schema"|"plugin"|"plugin list"|"plugin info"|"plugin enable"|"plugin disable"|"plugin new"|"plugin check"|"plugin test"|"plugin dev"|"plugin docs"|"plugin add"|"plugin remove"|"plugin trust"|"memory"|"memory reindex"|"memory forget"|"memory prune"|"memory timeline"|"memory related"|"memory stats"|"memory edit"|"memory merge"|"memory pin"|"memory unpin"|"memory hide"|"memory unhide"|"memory confirm"|"memory projects"|"memory projects list"|"memory projects join"|"memory projects split"|"memory projects rename"|"memory redact"|"memory backup"|"memory restore"|"memory export"|"memory import"|"sync"|"sync init"|"sync invite"|"sync join"|"sync share"|"sync unshare"|"sync status"|"sync now"|"sync members"|"sync remove"|"sync leave"|"session"|"session dump"|"session markdown"|"session context"|"session examples"|"session stats"|"session validate"|"session list"|"server"|"server status"|"server start"|"server stop"|"server retry"|"endless"|"endless on"|"endless off"|"endless gateway"|"endless gateway on"|"endless gateway off"|"endless gateway status"|"endless status"|"endless metrics"|"endless restore"|"uninstall"|"completions"|"upgrade"|"demo"|"version"|"provider"|"provider list"|"provider test"|"provider key"|"recall"|"store-memory"|"update-session-metadata"|"store-overview"|"serve"|"mcp"|"hook") p="${p:+$p }$w";;
    esac
  done
  case "$p $prev" in
    "install --scope") COMPREPLY=($(compgen -W "user project local" -- "$cur")); return;;
    "search --kind") COMPREPLY=($(compgen -W "observation summary prompt session memory turn" -- "$cur")); return;;
    "search --level") COMPREPLY=($(compgen -W "sessions summaries titles facts narratives" -- "$cur")); return;;
    "context --source") COMPREPLY=($(compgen -W "startup resume clear compact" -- "$cur")); return;;
    "memory related --kind") COMPREPLY=($(compgen -W "observation summary prompt session memory turn" -- "$cur")); return;;
    "memory import --from") COMPREPLY=($(compgen -W "claude-mem" -- "$cur")); return;;
    "sync invite --role") COMPREPLY=($(compgen -W "owner writer reader" -- "$cur")); return;;
    "sync invite --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "sync share --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "sync unshare --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "sync members --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "sync remove --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "sync leave --space") COMPREPLY=($(compgen -W "mine team" -- "$cur")); return;;
    "recall --part") COMPREPLY=($(compgen -W "input output" -- "$cur")); return;;
    "store-memory --type") COMPREPLY=($(compgen -W "decision bugfix feature refactor change discovery" -- "$cur")); return;;
  esac
  case "$p" in
    "") c="install status search ask show sessions context open backfill doctor config plugin memory sync session server endless uninstall completions upgrade demo version provider recall store-memory update-session-metadata store-overview serve mcp hook"; o="--version --help";;
    "install") c=""; o="--all --scope --dry-run --yes --binary --no-allow-tools --json --help";;
    "status") c=""; o="--json --help";;
    "search") c=""; o="--project --session --type --concept --file --since --until --client --kind --level --also --explain --limit --ask --json --help";;
    "ask") c=""; o="--project --session --file --since --until --client --json --help";;
    "show") c=""; o="--json --help";;
    "sessions") c=""; o="--project --client --since --until --limit --json --help";;
    "context") c=""; o="--cwd --source --prompt --json --help";;
    "open") c=""; o="--print --json --help";;
    "backfill") c=""; o="--project --since --provider --dry-run --yes --json --help";;
    "doctor") c=""; o="--seen --bundle --json --help";;
    "config") c="show get set unset path schema"; o="--help";;
    "config show") c=""; o="--all --json --help";;
    "config get") c=""; o="--json --help";;
    "config set") c=""; o="--json --help";;
    "config unset") c=""; o="--json --help";;
    "config path") c=""; o="--json --help";;
    "config schema") c=""; o="--json --help";;
    "plugin") c="list info enable disable new check test dev docs add remove trust"; o="--help";;
    "plugin list") c=""; o="--all --json --help";;
    "plugin info") c=""; o="--json --help";;
    "plugin enable") c=""; o="--json --help";;
    "plugin disable") c=""; o="--json --help";;
    "plugin new") c=""; o="--json --help";;
    "plugin check") c=""; o="--json --help";;
    "plugin test") c=""; o="--json --help";;
    "plugin dev") c=""; o="--transcript --recorded --provider --once --json --help";;
    "plugin docs") c=""; o="--list --write --json --help";;
    "plugin add") c=""; o="--yes --json --help";;
    "plugin remove") c=""; o="--json --help";;
    "plugin trust") c=""; o="--yes --revoke --json --help";;
    "memory") c="reindex forget prune timeline related stats edit merge pin unpin hide unhide confirm projects redact backup restore export import"; o="--help";;
    "memory reindex") c=""; o="--json --help";;
    "memory forget") c=""; o="--session --project --file --query --since --until --dry-run --derived --backups --yes --json --help";;
    "memory prune") c=""; o="--dry-run --yes --json --help";;
    "memory timeline") c=""; o="--project --session --client --since --until --limit --json --help";;
    "memory related") c=""; o="--project --since --until --client --kind --limit --json --help";;
    "memory stats") c=""; o="--since --project --model --json --help";;
    "memory edit") c=""; o="--title --subtitle --text --fact --context --set --undo --json --help";;
    "memory merge") c=""; o="--json --help";;
    "memory pin") c=""; o="--project --json --help";;
    "memory unpin") c=""; o="--json --help";;
    "memory hide") c=""; o="--project --json --help";;
    "memory unhide") c=""; o="--json --help";;
    "memory confirm") c=""; o="--json --help";;
    "memory projects") c="list join split rename"; o="--help";;
    "memory projects list") c=""; o="--json --help";;
    "memory projects join") c=""; o="--json --help";;
    "memory projects split") c=""; o="--json --help";;
    "memory projects rename") c=""; o="--json --help";;
    "memory redact") c=""; o="--text --stored --dry-run --yes --backups --json --help";;
    "memory backup") c=""; o="--list --verify --to --json --help";;
    "memory restore") c=""; o="--all --config --dry-run --yes --json --help";;
    "memory export") c=""; o="--project --since --json --help";;
    "memory import") c=""; o="--from --map --dry-run --json --help";;
    "sync") c="init invite join share unshare status now members remove leave"; o="--help";;
    "sync init") c=""; o="--team --as --machine --json --help";;
    "sync invite") c=""; o="--role --key --label --days --space --json --help";;
    "sync join") c=""; o="--folder --as --machine --json --help";;
    "sync share") c=""; o="--space --json --help";;
    "sync unshare") c=""; o="--space --json --help";;
    "sync status") c=""; o="--json --help";;
    "sync now") c=""; o="--json --help";;
    "sync members") c=""; o="--space --json --help";;
    "sync remove") c=""; o="--space --yes --json --help";;
    "sync leave") c=""; o="--space --force --yes --json --help";;
    "session") c="dump markdown context examples stats validate list"; o="--help";;
    "session dump") c=""; o="--last --thinking --json --help";;
    "session markdown") c=""; o="--last --json --help";;
    "session context") c=""; o="--last --tool --json --help";;
    "session examples") c=""; o="--last --limit --json --help";;
    "session stats") c=""; o="--last --json --help";;
    "session validate") c=""; o="--last --json --help";;
    "session list") c=""; o="--limit --json --help";;
    "server") c="status start stop retry"; o="--help";;
    "server status") c=""; o="--json --help";;
    "server start") c=""; o="--json --help";;
    "server stop") c=""; o="--json --help";;
    "server retry") c=""; o="--json --help";;
    "endless") c="on off gateway status metrics restore"; o="--help";;
    "endless on") c=""; o="--session --everywhere --json --help";;
    "endless off") c=""; o="--session --everywhere --json --help";;
    "endless gateway") c="on off status"; o="--help";;
    "endless gateway on") c=""; o="--json --help";;
    "endless gateway off") c=""; o="--json --help";;
    "endless gateway status") c=""; o="--json --help";;
    "endless status") c=""; o="--json --help";;
    "endless metrics") c=""; o="--since --project --session --json --help";;
    "endless restore") c=""; o="--dry-run --json --help";;
    "uninstall") c=""; o="--dry-run --yes --delete-memory --json --help";;
    "completions") c="bash zsh fish"; o="--json --help";;
    "upgrade") c=""; o="--from --check --older --unsigned --back --json --help";;
    "demo") c=""; o="--keep --json --help";;
    "version") c=""; o="--licenses --json --help";;
    "provider") c="list test key"; o="--help";;
    "provider list") c=""; o="--json --help";;
    "provider test") c=""; o="--json --help";;
    "provider key") c=""; o="--remove --json --help";;
    "recall") c=""; o="--part --lines --grep --page --json --help";;
    "store-memory") c=""; o="--project --session --title --subtitle --facts --concepts --files --date --type --narrative --prompt --id --json --help";;
    "update-session-metadata") c=""; o="--project --session --title --subtitle --json --help";;
    "store-overview") c=""; o="--project --session --content --request --learned --next-steps --json --help";;
    "serve") c=""; o="--json --help";;
    "mcp") c=""; o="--json --help";;
    "hook") c=""; o="--home --json --help";;
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$o" -- "$cur"));;
    *) COMPREPLY=($(compgen -W "$c" -- "$cur"));;
  esac
}
complete -o default -F _memoir memoir
