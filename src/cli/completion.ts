import type { Argument, Command, Option } from 'commander'

/** What can be typed after a command, as shells need it. */
export interface CompletionNode {
  /** Words from the program's name on, as "source add"; empty: the program itself. */
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly words: string }[]
  readonly options: readonly CompletionOption[]
  /** Words that the first argument can be; none: a file will do. */
  readonly choices: readonly string[]
}

interface CompletionOption {
  readonly name: string
  readonly words: string
  readonly takesValue: boolean
  /** Where only some values are possible. */
  readonly choices: readonly string[]
}

/** The whole tree of commands; options of a command hold for those below it, too. */
export function completionNodes(program: Command): readonly CompletionNode[] {
  return nodesBelow(program, '', [])
}

function nodesBelow(command: Command, path: string, inherited: readonly CompletionOption[]): CompletionNode[] {
  const options = [...command.options.filter(({ hidden }) => !hidden).map(optionOf), ...inherited]
  const unique = [...new Map(options.map((one) => [one.name, one])).values()]
  const node = {
    path,
    commands: command.commands.map((child) => ({ name: child.name(), words: firstSentence(child.description()) })),
    options: [...unique, HELP],
    choices: choicesOf(command.registeredArguments),
  }
  const below = command.commands.flatMap((child) =>
    // The program's own --version belongs to it alone.
    nodesBelow(child, `${path} ${child.name()}`.trim(), path === '' ? [] : unique),
  )
  return [node, ...below]
}

const HELP: CompletionOption = { name: '--help', words: 'show help', takesValue: false, choices: [] }

function optionOf({ long, short, description, required, optional, argChoices }: Option): CompletionOption {
  return {
    name: long ?? short ?? '',
    words: firstSentence(description),
    takesValue: required || optional,
    choices: argChoices ?? [],
  }
}

/** Argument choices, or a list in the words of the argument, as "parse, crawl, store". */
function choicesOf(args: readonly Argument[]): readonly string[] {
  const [first] = args
  if (first === undefined) return []
  if (first.argChoices !== undefined) return first.argChoices
  const listed = first.description.split(', ')
  return listed.length > 2 && listed.every((word) => /^[a-z][a-z-]*$/.test(word)) ? listed : []
}

/** Short enough for a menu, and without what shells would read. */
function firstSentence(text: string): string {
  const [sentence = ''] = text.split(/(?<=[^.])[.;:](?:\s|$)| \(/, 1)
  return sentence.replace(/['"`\\$[\]{}<>]/g, '').slice(0, 90)
}
