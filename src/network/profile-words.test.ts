import { expect, it } from 'vitest'
import { mergedWords, profileWords } from './profile-words.ts'

it('takes the words that the most titles have, and the categories that the most items bear', () => {
  const items = Array.from({ length: 10 }, (_, k) => ({
    title: k < 7 ? `Glaciers ${k} of Norway` : 'The rain in Spain',
    categories: k < 2 ? ['Climate'] : [' ICE '],
  }))
  expect(profileWords(items, 3)).toEqual({ keywords: ['glaciers', 'norway', 'spain'], categories: ['ice', 'climate'] })
})

it('merges lists by rank, and stops where it is enough', () => {
  expect(
    mergedWords(
      [
        ['a', 'b', 'c'],
        ['x', 'a'],
      ],
      4,
    ),
  ).toEqual(['a', 'x', 'b', 'c'])
  expect(mergedWords([], 4)).toEqual([])
})
