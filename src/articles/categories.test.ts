import { describe, expect, it } from 'vitest'
import { seededRandom } from '../runtime/random.ts'
import { CategoryModel, UNCATEGORIZED } from './categories.ts'
import { declaredCategory } from './page-category.ts'

/** Words that texts of a category prefer; all share the common ones. */
const TOPICS: Readonly<Record<string, string>> = {
  Sport: 'goal match league striker coach stadium referee penalty season team',
  Science: 'telescope genome particle laboratory species climate orbit neuron physics theory',
  Politics: 'election parliament minister coalition ballot senate treaty party vote reform',
}
const COMMON = 'today year people time world first new last many work report week city house'.split(' ')

function textAbout(topic: string, random: () => number): string {
  const own = TOPICS[topic]!.split(' ')
  return Array.from({ length: 40 }, () => {
    const from = random() < 0.25 ? own : COMMON
    return from[Math.floor(random() * from.length)]
  }).join(' ')
}

describe('categories by words', () => {
  it('are guessed far better than by the most frequent one', () => {
    const random = seededRandom(3)
    const model = new CategoryModel()
    const topicOf = (k: number) => (k % 2 === 0 ? 'Sport' : k % 4 === 1 ? 'Science' : 'Politics')
    for (let k = 0; k < 200; k++) model.learn(textAbout(topicOf(k), random), [topicOf(k)])
    let right = 0
    for (let k = 0; k < 200; k++) if (model.guess(textAbout(topicOf(k), random)).category === topicOf(k)) right++
    // The most frequent class would be right in half of them.
    expect(right / 200).toBeGreaterThan(0.9)
  })

  it('are not guessed of what is like nothing known, nor from too little', () => {
    const model = new CategoryModel()
    expect(model.guess('goal match').category).toBe(UNCATEGORIZED)
    model.learn('goal match league', ['Sport'])
    expect(model.guess('goal match').category).toBe(UNCATEGORIZED)
    for (let k = 0; k < 3; k++) model.learn('goal match league', ['Sport'])
    for (let k = 0; k < 4; k++) model.learn('genome particle orbit', ['Science'])
    expect(model.guess('goal match').category).toBe('Sport')
    expect(model.guess('pancake recipe').category).toBe(UNCATEGORIZED)
    expect(model.guess('goal genome').category).toBe(UNCATEGORIZED)
  })

  it('are those of their source, where the words say little', () => {
    const model = new CategoryModel()
    for (let k = 0; k < 20; k++) {
      model.learn(`today week ${k % 2 === 0 ? 'report' : 'city'}`, ['Sport'], 1)
      model.learn(`today week ${k % 2 === 0 ? 'report' : 'city'}`, ['Science'], 2)
    }
    expect(model.guess('today report').category).toBe(UNCATEGORIZED)
    expect(model.guess('today report', 1).category).toBe('Sport')
    expect(model.guess('today report', 2).category).toBe('Science')
    expect(model.guess('today report', 3).category).toBe(UNCATEGORIZED)
  })

  it('take no more memory than is meant for them', () => {
    const model = new CategoryModel()
    for (let k = 0; k < 1_000; k++) model.learn(`word${k} `.repeat(3), [`category ${k}`])
    expect(model.guess('word1 word2').category).toBe(UNCATEGORIZED)
  })

  it.each([
    [['Ice'], ['Sea'], { category: 'Ice', categoryIs: 'page' }],
    [[' '], ['', 'Sea'], { category: 'Sea', categoryIs: 'feed' }],
    [[], [], null],
  ] as const)('declared by the page %j and the feed %j are %j', (page, feed, expected) => {
    expect(declaredCategory(page, feed)).toEqual(expected)
  })
})
