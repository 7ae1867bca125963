import type { CompletionNode } from './completion.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

/** A script for the shell to read: it holds the whole tree, so that nothing is started when somebody presses Tab. */
export function completionScript(shell: Shell, nodes: readonly CompletionNode[]): string {
  if (shell === 'fish') return fishScript(nodes)
  return shell === 'bash' ? bashScript(nodes) : zshScript(nodes)
}

const paths = (nodes: readonly CompletionNode[]) => nodes.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]))

/** What can follow the words so far; `values` for an option that takes some, nothing for any other that takes a value. */
function bashScript(nodes: readonly CompletionNode[]): string {
  const words = nodes.map(
    ({ path, commands, options, choices }) =>
      `    '${path}') words='${[...commands.map(({ name }) => name), ...choices].join(' ')}'; options='${options.map(({ name }) => name).join(' ')}' ;;`,
  )
  return `# bash completion for headwater
_headwater() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path='' next words='' options='' index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    next="\${path:+$path }\${COMP_WORDS[index]}"
    case "$next" in
    ${paths(nodes).join(' | ')}) path="$next" ;;
    esac
  done
  case "$path $before" in
${valueCases(nodes, (path, name, choices) => `    '${path} ${name}') ${choices.length > 0 ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current"))` : 'COMPREPLY=($(compgen -f -- "$current"))'}; return ;;`)}
  esac
  case "$path" in
${words.join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _headwater headwater
`
}

function valueCases(
  nodes: readonly CompletionNode[],
  write: (path: string, name: string, choices: readonly string[]) => string,
): string {
  return nodes
    .flatMap(({ path, options }) =>
      options.filter(({ takesValue }) => takesValue).map(({ name, choices }) => write(path, name, choices)),
    )
    .join('\n')
}

const described = (name: string, words: string) => `'${name.replaceAll(':', '\\:')}:${words.replaceAll(':', ' ')}'`

function zshScript(nodes: readonly CompletionNode[]): string {
  const cases = nodes.map(({ path, commands, options, choices }) => {
    const words = [
      ...commands.map(({ name, words }) => described(name, words)),
      ...choices.map((name) => described(name, '')),
    ]
    const flags = options.map(({ name, words }) => described(name, words))
    return `    '${path}') words_here=(${words.join(' ')}); flags_here=(${flags.join(' ')}) ;;`
  })
  return `#compdef headwater
# zsh completion for headwater
_headwater() {
  local here='' next index before="\${words[CURRENT-1]}"
  local -a words_here flags_here
  for ((index = 2; index < CURRENT; index++)); do
    next="\${here:+$here }\${words[index]}"
    case "$next" in
    ${paths(nodes)
      .map((path) => `(${path})`)
      .join(' | ')}) here="$next" ;;
    esac
  done
  case "$here $before" in
${valueCases(nodes, (path, name, choices) => `    '${path} ${name}') ${choices.length > 0 ? `compadd -- ${choices.join(' ')}` : '_files'}; return ;;`)}
  esac
  case "$here" in
${cases.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o 'option' flags_here
  elif (( \${#words_here} > 0 )); then
    _describe 'command' words_here
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _headwater ]]; then
  _headwater "$@"
else
  compdef _headwater headwater
fi
`
}

/** fish asks each line whether it holds: `__headwater_at` says whether the words so far lead to this command. */
function fishScript(nodes: readonly CompletionNode[]): string {
  return `# fish completion for headwater
function __headwater_at
  set -l here ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$here $word")
    contains -- "$next" ${paths(nodes).join(' ')}; and set here $next
  end
  test "$here" = "$argv[1]"
end
${nodes.flatMap(fishLines).join('\n')}
`
}

function fishLines({ path, commands, options, choices }: CompletionNode): string[] {
  const at = `-n '__headwater_at "${path}"'`
  const files = commands.length > 0 || choices.length > 0 ? ' -f' : ''
  return [
    ...commands.map(({ name, words }) => `complete -c headwater${files} ${at} -a ${name} -d '${words}'`),
    ...choices.map((name) => `complete -c headwater${files} ${at} -a ${name}`),
    ...options.map(({ name, words, takesValue, choices: values }) => {
      const value = values.length > 0 ? ` -x -a '${values.join(' ')}'` : takesValue ? ' -r' : ''
      const flag = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
      return `complete -c headwater ${at} ${flag}${value} -d '${words}'`
    }),
  ]
}
