import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const MOST_ENTRIES = 45

it('the glossary is short, and explains each word once', () => {
  const text = readFileSync(join(import.meta.dirname, '../GLOSSARY.md'), 'utf8')
  const words = [...text.matchAll(/^\| \*\*(.+?)\*\* \|/gm)].flatMap(([, entry = '']) => entry.split(', '))
  const entries = [...text.matchAll(/^\| \*\*/gm)].length
  expect(entries).toBeGreaterThan(20)
  expect(entries, 'a word that people know from elsewhere needs no entry').toBeLessThanOrEqual(MOST_ENTRIES)
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
})
