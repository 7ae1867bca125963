import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { attackInShort, PARTS } from './in-short.ts'

attackInShort(1)

it('every part has a file', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^attack(-\d+)?\.test\.ts$/.test(name))
  expect(files).toHaveLength(PARTS)
})
