// The scripts that shells source. Each only calls `retcon complete`, which prints a value, a tab and a description.

/** Bash also splits words at `@`, `=` and `:` and replaces only the last piece ($2), so what precedes it is cut off. */
const bash = `# retcon completion for bash. Use: source <(retcon completion bash)
_retcon() {
  local line="\${COMP_LINE:0:COMP_POINT}" last="$2" word value quoted
  local -a words=()
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word="\${words[\${#words[@]}-1]}"
  [[ $last == *["\\"'"]* ]] && last="$word"
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    [[ -n $value ]] || continue
    printf -v quoted '%q' "$value"
    [[ $value == @* ]] && quoted="$value"
    COMPREPLY+=("\${quoted:$(( \${#word} - \${#last} ))}")
  done < <("\${words[0]}" complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _retcon retcon
`

const zsh = `#compdef retcon
# retcon completion for zsh. Use: source <(retcon completion zsh), after compinit
_retcon() {
  local line
  local -a found
  while IFS= read -r line; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe -V 'retcon' found
  else
    _files
  fi
}
if [[ $funcstack[1] == _retcon ]]; then _retcon "$@"; else compdef _retcon retcon; fi
`

const fish = `# retcon completion for fish. Use: retcon completion fish | source
complete -c retcon -f -k -a '(retcon complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
complete -c retcon -F -n '__fish_seen_subcommand_from import'
`

export const SCRIPTS = { bash, zsh, fish } as const
