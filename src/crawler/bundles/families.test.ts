import { describe, expect, it } from 'vitest'
import { BLANK_ITEM } from '../../model/item.ts'
import { COMPOSED_FAMILIES, type ComposedFamily } from './families.ts'

function familyOf(id: string): ComposedFamily {
  const family = COMPOSED_FAMILIES.find((one) => one.id === id)
  if (family === undefined) throw new Error(`no family ${id}`)
  return family
}

const readBy = (url: string) =>
  COMPOSED_FAMILIES.flatMap((family) => {
    const address = family.read(new URL(url))
    return address === null ? [] : [{ id: family.id, ...address }]
  })

describe('addresses that can be composed', () => {
  it.each([
    ['https://www.reddit.com/r/rust/new/.rss', 'reddit', 'rust'],
    ['https://old.reddit.com/r/AskHistorians/new.rss', 'reddit', 'AskHistorians'],
    ['https://www.reddit.com/r/rust/new/.rss?limit=25', 'reddit', 'rust'],
    // By votes: what is liked best of all hides the small ones.
    ['https://www.reddit.com/r/rust/.rss', null, ''],
    ['https://www.reddit.com/r/rust/top/.rss?t=week', null, ''],
    // Composed by somebody already, or for one person.
    ['https://www.reddit.com/r/rust+golang/new/.rss', null, ''],
    ['https://www.reddit.com/r/rust/new/.rss?feed=0a1b&user=me', null, ''],
    ['https://www.reddit.com.evil.example/r/rust/new/.rss', null, ''],
    ['https://rss.arxiv.org/rss/cs.AI', 'arxiv', 'cs.AI'],
    ['https://rss.arxiv.org/atom/cond-mat.mes-hall', 'arxiv', 'cond-mat.mes-hall'],
    ['https://rss.arxiv.org/rss/cs.AI+cs.CL', null, ''],
    ['https://stackoverflow.com/feeds/tag/postgresql', 'stack-exchange', 'postgresql'],
    ['https://unix.stackexchange.com/feeds/tag?tagnames=zsh&sort=newest', 'stack-exchange', 'zsh'],
    ['https://stackoverflow.com/feeds/tag/c%23', 'stack-exchange', 'c#'],
    ['https://stackoverflow.com/feeds/tag?tagnames=a+or+b&sort=newest', null, ''],
    ['https://stackoverflow.com/feeds/question/1', null, ''],
  ])('%s', (url, id, name) => {
    expect(readBy(url).map((read) => [read.id, read.name])).toEqual(id === null ? [] : [[id, name]])
  })

  it.each([
    ['reddit', 'https://www.reddit.com', ['rust', 'golang'], 'https://www.reddit.com/r/rust+golang/new/.rss?limit=100'],
    ['arxiv', 'https://rss.arxiv.org/rss', ['cs.AI', 'cs.CL'], 'https://rss.arxiv.org/rss/cs.AI+cs.CL'],
    [
      'stack-exchange',
      'https://stackoverflow.com/feeds/tag?sort=newest',
      ['c#', 'zsh'],
      'https://stackoverflow.com/feeds/tag?sort=newest&tagnames=c%23+or+zsh',
    ],
  ])('of %s are joined as the site wants it', (id, group, names, url) => {
    expect(familyOf(id).compose(group, names)).toBe(url)
  })

  it('are of one group only with the same list in the same order', () => {
    const groups = ['newest', 'active'].map((sort) =>
      familyOf('stack-exchange').read(new URL(`https://stackoverflow.com/feeds/tag?tagnames=zsh&sort=${sort}`)),
    )
    expect(groups[0]?.group).not.toBe(groups[1]?.group)
  })

  it('say whose an item is', () => {
    const link = 'https://www.reddit.com/r/AskHistorians/comments/1a2b/title/'
    expect(familyOf('reddit').namesOf({ ...BLANK_ITEM, link })).toEqual(['askhistorians'])
    expect(familyOf('reddit').namesOf({ ...BLANK_ITEM, link: 'https://elsewhere.example/' })).toEqual([])
    expect(familyOf('arxiv').namesOf({ ...BLANK_ITEM, categories: ['cs.AI'] })).toEqual(['cs.ai', 'cs'])
    expect(familyOf('stack-exchange').namesOf({ ...BLANK_ITEM, categories: ['C#'] })).toEqual(['c#'])
  })
})
