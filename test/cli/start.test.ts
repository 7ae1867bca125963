import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** What the words of any command are read with. Everything else is imported by the action that needs it. */
const FOR_WORDS = ['cli-progress', 'commander', 'pure-rand']

/** What a file of ours imports at once; types are gone when it is compiled. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^(?:import|export) (?!type\b)(?:[^'(=]* from )?'([^']+)'/gm)].map(([, name]) => name!)
}

function startOf(path: string) {
  const ours = new Set<string>()
  const libraries = new Set<string>()
  const walk = (file: string) => {
    if (ours.has(file)) return
    ours.add(file)
    for (const name of importsOf(file)) {
      if (name.startsWith('.')) walk(join(dirname(file), name))
      else if (!name.startsWith('node:')) libraries.add(name.split('/')[0]!)
    }
  }
  walk(path)
  return { ours: [...ours].map((file) => relative(ROOT, file).split(sep).join('/')), libraries }
}

it('every command starts with the words of all commands, not with what another one needs', () => {
  const { ours, libraries } = startOf(join(ROOT, 'bin/headwater.ts'))
  expect(ours.every((file) => existsSync(join(ROOT, file)))).toBe(true)
  for (const known of ['src/cli/program.ts', 'src/cli/commands/network.ts', 'src/runtime/errors.ts'])
    expect(ours).toContain(known)
  expect([...libraries].filter((name) => !FOR_WORDS.includes(name))).toEqual([])
  expect(
    ours.filter((file) => /^src\/(?:api|store\/(?:sqlite|postgres|memory)|listings|crawler\/parse)\//.test(file)),
  ).toEqual([])
})
