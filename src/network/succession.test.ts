import { expect, it } from 'vitest'
import { canFollow } from './succession.ts'

it.each([
  ['the same', 'a b c', 'a b c', true],
  ['news in a window that is not full', 'a b', 'n a b', true],
  ['a window that moves on', 'a b c', 'n a b', true],
  ['the same, oldest first', 'a b c', 'b c n', true],
  ['a window that has turned over', 'a b c', 'x y z', true],
  ['nothing before', '', 'a b', true],
  ['something withheld: it was there, and nothing came in its place', 'n a b', 'a b', false],
  ['something made up: the origin has never had it', 'forged a b', 'n a b', false],
  ['an empty document', 'a b', '', false],
])('%s', (_name, older, newer, can) => {
  const keys = (text: string) => text.split(' ').filter(Boolean)
  expect(canFollow(keys(older), keys(newer))).toBe(can)
})
