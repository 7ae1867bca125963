/** `--data DIR` as it was given, for commands that are told to type next; empty where the usual folder is in use. */
export function dataOption(argv: readonly string[]): string {
  for (const [at, word] of argv.entries()) {
    if (word === '--') return ''
    const folder = word === '--data' ? argv[at + 1] : /^--data=(.*)$/s.exec(word)?.[1]
    if (folder !== undefined) return `--data ${shellWord(folder)}`
  }
  return ''
}

/** As a shell takes it for one word. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
