import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
/** Each is many files, or one that is very large, and no start needs it: src/runtime/load-later.ts. */
const LATE = [
  'cli-progress',
  'feedsmith',
  'linkedom',
  'nodemailer',
  'sanitize-html',
  'snowball-stemmers',
  'tldts',
  'xpath',
]

const sources = ['bin', 'src', 'lab'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(ROOT, folder, path), 'utf8') })),
)

it.each(LATE)('%s is read when it is first needed, not when a node starts', (name) => {
  expect(sources.some(({ text }) => text.includes(`('${name}')`))).toBe(true)
  const imported = new RegExp(`^import (?!type )[^']* from '${name}'|^import '${name}'`, 'm')
  expect(sources.filter(({ text }) => imported.test(text)).map(({ path }) => path)).toEqual([])
})
