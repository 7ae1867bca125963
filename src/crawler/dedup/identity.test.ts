import { describe, expect, it } from 'vitest'
import { BLANK_ITEM, type ParsedItem } from '../../model/index.ts'
import { identify } from './identity.ts'

const item = (fields: Partial<ParsedItem>): ParsedItem => ({ ...BLANK_ITEM, ...fields })
const FILE = { url: 'https://a.example/f', type: null, lengthBytes: null }

/** Under these keys items are stored: another one would bring each of them once more. */
describe('keys of items', () => {
  it.each<[string, ParsedItem, string, string, string]>([
    [
      'with a guid',
      item({ id: 'a', title: 't', link: 'https://a.example/?utm_source=x' }),
      '618b232ffcc3e806891894ee6e76a034',
      'c605055eda928b905a27bb6fbfeb5518',
      '6fbf0b4e16f67c2c273ac37e48edf825',
    ],
    [
      'with a link',
      item({ link: 'https://a.example/b#c', title: 'é語' }),
      'cebb70af7bd748fb34d1ea543cb66978',
      'bbc02337815b61c758db4d7867b8b1e2',
      '55bdfc1467dfe2f08b14cdda54e9c68a',
    ],
    [
      'with content alone',
      item({ title: 't', content: '<p>x</p>', enclosures: [FILE] }),
      'ba153af8af9cff650d444ef16455273b',
      '6837a78d0577413c1b7db3bb698d1e04',
      '245bae7cf178b2fe1b9d3dcb4493d827',
    ],
    [
      'with long content alone',
      item({ content: 'word '.repeat(20_000) }),
      '02839ce7acb37e0ae7cf4ccf20a1d384',
      'b12bdf8a6d161576aceadbcc8985f321',
      '96d2fcaa32f3b710d76a2558a819319b',
    ],
    [
      'with nothing',
      item({}),
      'd4a7d69b2790f2c54e96add21bda7e31',
      'cd6552818f651f97b69c43f010829cb7',
      '05fe405753166f125559e7c9ac558654',
    ],
  ])('%s stay what they are', (_, one, primary, composite, contentHash) => {
    const [identity] = identify([one])
    expect(identity).toMatchObject({ primary, contentHash, crowded: false })
    expect(identity?.composite()).toBe(composite)
  })

  it('two that look different under one guid are crowded', () => {
    const all = identify([item({ id: 'a', title: 't' }), item({ id: 'a', title: 'u' }), item({ id: 'b' })])
    expect(all.map(({ crowded }) => crowded)).toEqual([true, true, false])
  })
})
