/** A command as a document shows it. */
export interface DocumentedCommand {
  readonly file: string
  readonly line: number
  /** Without comment and prompt; with the lines that a here-document hands to it. */
  readonly command: string
  /** In a sentence: a mention, perhaps without what it needs. */
  readonly isMention: boolean
}

const SHELLS = ['', 'sh', 'bash', 'console']
const OURS = /^(?:npx |npm |headwater\b|cat > )/
const MENTION = /`((?:npx |npm |headwater )[^`]+)`/g

/** All commands of a document, in its order: what is in blocks of a shell, and what sentences mention. */
export function documentedCommands(file: string, text: string): readonly DocumentedCommand[] {
  const found: DocumentedCommand[] = []
  let block: { readonly from: number; readonly isShell: boolean; readonly lines: string[] } | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^\s*```(.*)$/.exec(line)
    if (fence === null) {
      if (block !== null) block.lines.push(line)
      else found.push(...mentions(file, index + 1, line))
    } else if (block === null) {
      block = { from: index + 2, isShell: SHELLS.includes(fence[1]!.trim()), lines: [] }
    } else {
      if (block.isShell) found.push(...commandsOf(file, block.from, block.lines))
      block = null
    }
  }
  return found
}

function mentions(file: string, line: number, text: string): DocumentedCommand[] {
  return [...text.matchAll(MENTION)].map(([, command]) => ({ file, line, command: command!.trim(), isMention: true }))
}

/** Where some lines have a prompt, the others are what was printed. */
function commandsOf(file: string, from: number, lines: readonly string[]): DocumentedCommand[] {
  const hasPrompt = lines.some((line) => line.startsWith('$ '))
  const found: DocumentedCommand[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = from + index
    let text = lines[index]!
    if (hasPrompt && !text.startsWith('$ ')) continue
    while (text.endsWith('\\')) text = text.slice(0, -1) + lines[++index]!.trim()
    const end = /<<'(\w+)'/.exec(text)?.[1]
    if (end !== undefined) {
      do text += `\n${lines[++index]!}`
      while (lines[index] !== end)
      found.push({ file, line, command: text, isMention: false })
      continue
    }
    for (const command of withoutComment(text.replace(/^\$ /, '')).split(' && ')) {
      if (OURS.test(command)) found.push({ file, line, command, isMention: false })
    }
  }
  return found
}

function withoutComment(line: string): string {
  return line.replace(/\s+#\s.*$/, '').trim()
}
