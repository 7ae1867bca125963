import { describe, expect, it } from 'vitest'
import { mediaOf } from './item-media.ts'

const enclosure = (type: string | null) => ({ url: `http://x.example/${type}`, type, lengthBytes: null })

describe('what stands beside an item in a list', () => {
  it.each([
    ['nothing', null, [], { image: null, medium: null }],
    [
      'its picture before an enclosed one',
      'http://x.example/a.png',
      ['image/png'],
      { image: 'http://x.example/a.png', medium: null },
    ],
    ['an enclosed picture', null, ['Image/PNG'], { image: 'http://x.example/Image/PNG', medium: null }],
    ['an episode', null, [null, 'audio/mpeg'], { image: null, medium: 'audio' }],
    [
      'a film with its picture',
      null,
      ['image/jpeg', 'video/mp4'],
      { image: 'http://x.example/image/jpeg', medium: 'video' },
    ],
    ['a paper', null, ['application/pdf'], { image: null, medium: null }],
  ] as const)('%s', (_name, image, types, expected) => {
    expect(mediaOf({ image, enclosures: types.map(enclosure) })).toEqual(expected)
  })
})
