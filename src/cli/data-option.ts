import { maskPassword } from '../app/data/store-url.ts'

/** `--data DIR` and `--store URL` as they were given, for commands that are told to type next; empty where the usual folder is in use. No password. */
export function dataOption(argv: readonly string[]): string {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  return ['--data', '--store']
    .flatMap((name) => {
      const value = valueIn(name, words)
      return value === undefined ? [] : [`${name} ${shellWord(maskPassword(value))}`]
    })
    .join(' ')
}

function valueIn(name: string, words: readonly string[]): string | undefined {
  for (const [at, word] of words.entries()) {
    if (word === name) return words[at + 1]
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1)
  }
  return undefined
}

/** Quoted as one word for a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
