import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLANK_ITEM, DAY_MS, HOUR_MS, MINUTE_MS, type ParsedItem, type WindowEntry } from '../../model/index.ts'
import { canonicalLink } from './canonical-link.ts'
import { type DedupResult, deduplicate, prepare } from './deduplicate.ts'
import { judgeDates, observeContent, sortTime } from './observe.ts'

const NOW = Date.UTC(2026, 0, 15, 12)

function item(fields: Partial<ParsedItem>): ParsedItem {
  return { ...BLANK_ITEM, ...fields }
}

const story = (n: number, fields: Partial<ParsedItem> = {}) =>
  item({
    id: `guid-${n}`,
    title: `Story ${n}`,
    link: `https://site.example/${n}`,
    published: NOW - n * HOUR_MS,
    ...fields,
  })

/** A source with an archive: what the crawler and the store do together, without either. */
class Reader {
  window: readonly WindowEntry[] = []
  guidChanges = 0
  readonly archive = new Map<string, string>()

  refresh(items: readonly ParsedItem[], sinceLastMs = 5 * MINUTE_MS) {
    const prepared = prepare(items, this.window)
    const dedup = deduplicate(
      prepared,
      new Map(prepared.unsettled.flatMap((k) => (this.archive.has(k) ? [[k, this.archive.get(k)!]] : []))),
      { guidChanges: this.guidChanges, sinceLastMs },
    )
    for (const { from, to } of dedup.renamed) {
      this.archive.set(to, this.archive.get(from)!)
      this.archive.delete(from)
    }
    for (const { key, contentHash } of [...dedup.added, ...dedup.changed]) this.archive.set(key, contentHash)
    this.window = dedup.window
    this.guidChanges = dedup.guidChanges
    return {
      prepared,
      dedup,
      titles: dedup.added.map((a) => a.item.title),
      edits: dedup.changed.map((c) => c.item.title),
    }
  }
}

describe('deduplicating items', () => {
  it('stores new items oldest first and asks the archive only about those that the last window does not show', () => {
    const reader = new Reader()
    expect(reader.refresh([story(2), story(3)]).titles).toEqual(['Story 3', 'Story 2'])
    const second = reader.refresh([story(1), story(2), story(3)])
    expect(second.titles).toEqual(['Story 1'])
    expect(second.prepared.unsettled).toHaveLength(3)
    expect(reader.refresh([story(1), story(2), story(3)]).prepared.unsettled).toEqual([])
  })

  describe('two items of one document under one guid', () => {
    const twin = (fields: Partial<ParsedItem> = {}) => story(1, { title: 'Another headline', ...fields })
    it.each([
      ['an article under two headlines is one', [story(1), twin(), story(2), story(3)], 3],
      ['three are too many to be one', [story(1), twin(), twin({ title: 'A third' }), story(2), story(3)], 5],
      ['other links', [story(1), twin({ link: 'https://site.example/other' }), story(2), story(3)], 4],
      ['other moments', [story(1), twin({ published: NOW }), story(2), story(3)], 4],
      ['no moment', [story(1, { published: null }), twin({ published: null }), story(2), story(3)], 4],
      [
        'the moment of all',
        [story(1, { published: NOW }), twin({ published: NOW }), story(2), story(3, { published: NOW })],
        4,
      ],
      ['nobody else to compare with', [story(1), twin()], 2],
    ])('%s', (_, items, count) => {
      const reader = new Reader()
      expect(reader.refresh(items).titles).toHaveLength(count)
      expect(reader.refresh(items).titles).toEqual([])
      expect(reader.refresh([...items].reverse()).titles).toEqual([])
      expect(reader.refresh([items[1] as ParsedItem, ...items.slice(2)]).titles).toEqual([])
    })
  })

  it('takes an edit for an edit, and a moving date for nothing', () => {
    const reader = new Reader()
    reader.refresh([story(1), story(2)])
    const edited = reader.refresh([story(1, { title: 'Story 1, corrected' }), story(2, { published: NOW })])
    expect(edited.titles).toEqual([])
    expect(edited.edits).toEqual(['Story 1, corrected'])
    expect(edited.dedup.redated).toBe(1)
    expect(reader.refresh([story(1, { title: 'Story 1, corrected' }), story(2)]).edits).toEqual([])
  })

  it('knows an item again that comes back after it had left the window', () => {
    const reader = new Reader()
    reader.refresh([story(5)])
    reader.refresh([story(4)])
    expect(reader.refresh([story(5), story(4)]).titles).toEqual([])
  })

  it('keeps items apart that all carry the same guid, and keeps knowing them when some leave', () => {
    const reader = new Reader()
    const same = (n: number) => story(n, { id: 'https://site.example/' })
    expect(reader.refresh([same(2), same(3)]).titles).toHaveLength(2)
    expect(reader.refresh([same(1), same(2), same(3)]).titles).toEqual(['Story 1'])
    expect(reader.refresh([same(1)]).titles).toEqual([])
    expect(reader.refresh([same(0), same(1)]).titles).toEqual(['Story 0'])
  })

  it('knows the one of two items under one guid that was alone before', () => {
    const reader = new Reader()
    const same = (n: number) => story(n, { id: 'x' })
    reader.refresh([same(2)])
    expect(reader.refresh([same(1), same(2)]).titles).toEqual(['Story 1'])
    expect(reader.refresh([same(1), same(2)]).titles).toEqual([])
  })

  it('counts an item that a document shows twice once', () => {
    expect(new Reader().refresh([story(1), story(1)]).titles).toEqual(['Story 1'])
  })

  it('does not take rewritten guids for news', () => {
    const reader = new Reader()
    reader.refresh([1, 2, 3, 4].map((n) => story(n)))
    const moved = [0, 1, 2, 3].map((n) => story(n, { id: `urn:new:${n}` }))
    expect(reader.refresh(moved).titles).toEqual(['Story 0'])
    expect(reader.refresh(moved).titles).toEqual([])
    expect(reader.archive.size).toBe(5)
    reader.refresh([story(-1, { id: 'urn:new:-1' })])
    expect(reader.refresh(moved).titles).toEqual([])
  })

  it('takes a new guid under the same link and title for news where it stands alone', () => {
    const reader = new Reader()
    const weather = (day: number) => item({ id: `w${day}`, title: 'Weather today', link: 'https://w.example/' })
    reader.refresh([weather(1)])
    expect(reader.refresh([weather(2)]).titles).toEqual(['Weather today'])
  })

  it('identifies by link, without scheme and campaign, where there is no guid, and by content where there is neither', () => {
    const reader = new Reader()
    const linked = (link: string) => item({ title: 'A', link })
    reader.refresh([linked('http://a.example/1?utm_source=rss'), item({ title: 'Bare', summary: 's' })])
    expect(reader.refresh([linked('https://a.example/1'), item({ title: 'Bare', summary: 's' })]).titles).toEqual([])
    expect(reader.refresh([item({ title: 'Bare', summary: 'other' })]).titles).toEqual(['Bare'])
  })

  it('keeps its memory when a site serves an empty feed for a while', () => {
    const reader = new Reader()
    reader.refresh([story(1), story(2)])
    expect(reader.refresh([]).dedup.overlap).toBe('some')
    expect(reader.refresh([story(1), story(2)]).prepared.unsettled).toEqual([])
  })

  it.each([
    ['http://a.example/x', '//a.example/x'],
    ['https://a.example/x?utm_source=a&id=3#top', '//a.example/x?id=3#top'],
    ['https://a.example/x?utm_source=a', '//a.example/x'],
    ['https://a.example/x?a=utm_', '//a.example/x?a=utm_'],
    ['mailto:x', 'mailto:x'],
  ])('canonical link of %s', (link, canonical) => expect(canonicalLink(link)).toBe(canonical))
})

describe('identity', () => {
  const arbitraryItem = fc.record({
    n: fc.integer({ min: 0, max: 30 }),
    guid: fc.constantFrom('own', 'none', 'shared'),
    link: fc.constantFrom('own', 'none', 'shared'),
  })
  const arbitraryFeed = fc
    .uniqueArray(arbitraryItem, { minLength: 1, maxLength: 12, selector: (i) => i.n })
    .map((specs) =>
      specs.map(({ n, guid, link }) =>
        item({
          id: guid === 'own' ? `g${n}` : guid === 'shared' ? 'g' : null,
          link: link === 'own' ? `https://a.example/${n}` : link === 'shared' ? 'https://a.example/' : null,
          title: `T${n}`,
          published: NOW - n * MINUTE_MS,
        }),
      ),
    )

  it('is stable under reordering and re-dating: nothing is new, nothing is edited', () => {
    fc.assert(
      fc.property(arbitraryFeed, fc.infiniteStream(fc.nat()), (feed, keys) => {
        const reader = new Reader()
        expect(reader.refresh(feed).dedup.added).toHaveLength(feed.length)
        const shuffled = feed
          .map((it) => ({
            it: { ...it, published: NOW + (keys.next().value as number) },
            order: keys.next().value as number,
          }))
          .sort((a, b) => a.order - b.order)
          .map(({ it }) => it)
        const again = reader.refresh(shuffled)
        expect(again.titles).toEqual([])
        expect(again.edits).toEqual([])
      }),
    )
  })

  it('is stable when a window slides: every item is new exactly once', () => {
    fc.assert(
      fc.property(arbitraryFeed, fc.integer({ min: 1, max: 5 }), (anyFeed, step) => {
        // One guid or link used for all, one item at a time, is an edit by the rules; the tests above show crowds.
        const feed = anyFeed.filter((f) => f.id !== 'g' && (f.id !== null || f.link !== 'https://a.example/'))
        const reader = new Reader()
        const titles: (string | null)[] = []
        for (let start = feed.length - 1; start > -step; start -= step) {
          const from = Math.max(0, start)
          titles.push(...reader.refresh(feed.slice(from, from + step + 1)).titles)
        }
        expect([...titles].sort()).toEqual(feed.map((f) => f.title).sort())
      }),
    )
  })
})

describe('guids that are new at every poll', () => {
  const texts = (n: number, fields: Partial<ParsedItem> = {}) =>
    story(n, { summary: `What happened on day ${n}, at length`, ...fields })
  let polls = 0
  /** The items under guids that nobody has seen. */
  const withNewGuids = (items: readonly ParsedItem[], fields: (n: number) => Partial<ParsedItem> = () => ({})) => {
    polls++
    return items.map((one, n) => ({ ...one, id: `guid ${n} of poll ${polls}`, ...fields(n) }))
  }
  const six = [1, 2, 3, 4, 5, 6].map((n) => texts(n))
  const added = (reader: Reader, times: number, next: (poll: number) => readonly ParsedItem[]) =>
    Array.from({ length: times }, (_, poll) => reader.refresh(next(poll)).titles.length)

  it.each<[string, (poll: number) => readonly ParsedItem[]]>([
    ['nothing else changes', () => withNewGuids(six)],
    ['dates are those of the request', (poll) => withNewGuids(six, () => ({ published: NOW + poll }))],
    [
      'links are new as well',
      (poll) => withNewGuids(six, (n) => ({ link: `https://site.example/${n}?session=${poll}` })),
    ],
    [
      'texts change, links and titles stay',
      (poll) => withNewGuids(six, (n) => ({ summary: `${n}, seen ${poll} times` })),
    ],
    ['there are no titles', () => withNewGuids(six, () => ({ title: null }))],
    ['all link to the home page', () => withNewGuids(six, () => ({ link: 'https://site.example/' }))],
    ['one is pinned and keeps its guid', () => [texts(9, { id: 'pinned' }), ...withNewGuids(six)]],
  ])('are not taken for news where %s', (_, next) => {
    const [first, ...rest] = added(new Reader(), 6, next)
    expect(first).toBe(next(0).length)
    expect(rest).toEqual([0, 0, 0, 0, 0])
  })

  it('let really new items in, once, also when the window slides', () => {
    const reader = new Reader()
    const slide = (poll: number) => withNewGuids([0, 1, 2, 3, 4, 5].map((n) => texts(100 - 2 * poll + n)))
    expect(added(reader, 6, slide)).toEqual([6, 2, 2, 2, 2, 2])
  })

  it('fall back to links alone once they were new so often, so quickly, that nothing else can be', () => {
    const reader = new Reader()
    const other = (poll: number) =>
      withNewGuids(six, (n) => ({ title: `${n} at ${poll}`, summary: `${poll} ${n}`, published: poll }))
    expect(added(reader, 6, other)).toEqual([6, 6, 6, 0, 0, 0])
    // One that keeps its guid proves that guids mean something again.
    const named = six.map((one, n) => ({ ...one, id: `named ${n}` }))
    reader.refresh(named)
    reader.refresh(named.map((one) => ({ ...one, title: `${one.title}!` })))
    expect(reader.guidChanges).toBe(0)
  })

  it('are news where a page a day is replaced under the same links', () => {
    const reader = new Reader()
    const sections = (day: number) =>
      withNewGuids(six, (n) => ({ title: `Lead ${n} of day ${day}`, summary: `${day}/${n}`, published: NOW + day }))
    const counts = Array.from({ length: 8 }, (_, day) => reader.refresh(sections(day), DAY_MS).titles.length)
    expect(counts).toEqual([6, 6, 6, 6, 6, 6, 6, 6])
  })

  it('of one or two items: only the same link, text and date, again and again, are the same', () => {
    const reader = new Reader()
    expect(added(reader, 6, () => withNewGuids(six.slice(0, 2)))).toEqual([2, 2, 2, 0, 0, 0])
    const status = new Reader()
    const posts = (poll: number) => withNewGuids([texts(1)], () => ({ published: NOW + poll * MINUTE_MS }))
    expect(added(status, 6, posts)).toEqual([1, 1, 1, 1, 1, 1])
  })

  it('take nothing from a feed whose guids are good: posts that say the same, under one link, are all new', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 5, max: 9 }),
        fc.constantFrom('same', 'own', 'few'),
        fc.constantFrom('same', 'own', 'few'),
        (steps, size, links, words) => {
          const say = (kind: string, n: number) => (kind === 'same' ? 0 : kind === 'own' ? n : n % 3)
          const post = (n: number) =>
            item({
              id: `post ${n}`,
              link: `https://site.example/${say(links, n)}`,
              title: 'Status',
              summary: `All is ${say(words, n)}`,
              published: NOW + n * MINUTE_MS,
            })
          const reader = new Reader()
          const counts: number[] = []
          let newest = size
          for (const step of steps) {
            counts.push(reader.refresh(Array.from({ length: size }, (_, at) => post(newest - at))).dedup.added.length)
            newest += step
          }
          expect(counts).toEqual(steps.map((_, at) => (at === 0 ? size : steps[at - 1])))
        },
      ),
    )
  })
})

describe('what a refresh learnt', () => {
  const facts = { sourceId: 1, previousAt: NOW - 10 * HOUR_MS, at: NOW, bytes: 10, latencyMs: 5 }
  const found = ({ added, window, overlap }: DedupResult, datesCredible: boolean) => ({
    added,
    windowSize: window.length,
    overlap,
    datesCredible,
    usualPerHour: null,
  })

  it('sees the loss when nothing overlaps, and estimates it from the pace of the window', () => {
    const reader = new Reader()
    reader.refresh([story(40), story(41)])
    // One item an hour from one to four hours ago; the last refresh was ten hours ago, so five are missing in between.
    const { dedup } = reader.refresh([1, 2, 3, 4].map((n) => story(n)))
    const observation = observeContent(facts, found(dedup, true))
    expect(observation).toMatchObject({ newItems: 4, windowSize: 4, overlap: 'none', lostAtLeast: 5 })
    expect(observation.loss).toMatchObject({ items: 6, basis: 'dates' })
    expect(observation.itemTimes).toEqual([4, 3, 2, 1].map((n) => NOW - n * HOUR_MS))
  })

  it('claims no loss where dates cannot be believed', () => {
    const reader = new Reader()
    reader.refresh([story(40)])
    const { dedup } = reader.refresh([story(1), story(2)])
    const observation = observeContent(facts, found(dedup, false))
    expect(observation).toMatchObject({ overlap: 'none', lostAtLeast: 0, itemTimes: [] })
    expect(observation.loss).toBeUndefined()
  })

  it.each<[string, readonly ParsedItem[], readonly ParsedItem[], boolean]>([
    ['usual dates', [story(2), story(3)], [story(1), story(2)], true],
    ['an empty document, which says nothing', [story(2)], [], true],
    ['no dates', [item({ id: 'a' })], [item({ id: 'b' }), item({ id: 'a' })], false],
    ['dates that move with each poll', [story(2, { published: NOW - HOUR_MS })], [story(2, { published: NOW })], false],
    ['now on everything', [], [1, 2, 3].map((n) => story(n, { published: NOW - n })), false],
    ['the future', [], [1, 2].map((n) => story(n, { published: NOW + n * DAY_MS })), false],
    ['new but dated last year', [story(9)], [story(1, { published: NOW - 300 * DAY_MS }), story(9)], false],
  ])('judges %s', (_name, before, now, credible) => {
    const reader = new Reader()
    if (before.length > 0) reader.refresh(before)
    const { dedup } = reader.refresh(now)
    expect(judgeDates(true, dedup, now, NOW, before.length > 0 ? NOW - 2 * HOUR_MS : null)).toBe(credible)
  })

  it.each([
    [NOW - 5, NOW, NOW - 5],
    [NOW + 5, NOW, NOW],
    [null, NOW, NOW],
  ])('orders an item dated %s and seen at %s by %s', (published, firstSeenAt, expected) => {
    expect(sortTime(published, firstSeenAt)).toBe(expected)
  })
})
