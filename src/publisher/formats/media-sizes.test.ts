import { describe, expect, it } from 'vitest'
import { aFeed, aPublishedItem } from '../../../test/support/published-items.ts'
import { readMediaDuration, readPixels } from '../../crawler/parse/media-facts.ts'
import { parseFeed } from '../../crawler/parse/parse.ts'
import type { ParsedItem } from '../../model/index.ts'
import { itemOf, packRest } from '../../store/rows/items.ts'
import { renderAtom } from './atom.ts'
import { renderJsonFeed } from './json-feed.ts'
import { renderRss } from './rss.ts'

const rss = (inner: string) =>
  `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/"><channel><item><guid>1</guid>${inner}</item></channel></rss>`
const atom = (inner: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><entry><id>1</id>${inner}</entry></feed>`
const json = (item: object) =>
  JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 't', items: [{ id: '1', ...item }] })

const SOUND = 'https://a.example/1.mp3'
const FILM = 'https://a.example/1.mp4'
const PICTURE = 'https://a.example/1.jpg'

type Sizes = Pick<ParsedItem, 'enclosures' | 'image' | 'imageSize'>
const sound = { url: SOUND, type: 'audio/mpeg', lengthBytes: 12_345 }
const film = { url: FILM, type: 'video/mp4', lengthBytes: 99 }

/** What documents say of sizes, and how it is known here. */
const SAID: readonly (readonly [string, string, Partial<Sizes>])[] = [
  [
    'itunes:duration in seconds',
    rss(`<enclosure url="${SOUND}" length="12345" type="audio/mpeg"/><itunes:duration>1325</itunes:duration>`),
    { enclosures: [{ ...sound, durationMs: 1_325_000 }] },
  ],
  [
    'itunes:duration with colons, before the file',
    rss(`<itunes:duration>1:02:03</itunes:duration><enclosure url="${SOUND}" length="12345" type="audio/mpeg"/>`),
    { enclosures: [{ ...sound, durationMs: 3_723_000 }] },
  ],
  [
    'itunes:duration of an item with two files: nobody knows of which',
    rss(
      `<enclosure url="${SOUND}" length="12345" type="audio/mpeg"/><enclosure url="${FILM}" length="99" type="video/mp4"/><itunes:duration>60</itunes:duration>`,
    ),
    { enclosures: [sound, film] },
  ],
  [
    'Media RSS beside the enclosure of the same address',
    rss(
      `<enclosure url="${FILM}" length="0" type="video/mp4"/><media:content url="${FILM}" fileSize="99" duration="61" width="1280" height="720"/>`,
    ),
    { enclosures: [{ ...film, durationMs: 61_000, width: 1_280, height: 720 }] },
  ],
  [
    'Media RSS alone',
    rss(
      `<media:group><media:content url="${FILM}" type="video/mp4" fileSize="99" duration="61" width="1280" height="720"/></media:group>`,
    ),
    { enclosures: [{ ...film, durationMs: 61_000, width: 1_280, height: 720 }] },
  ],
  [
    'a thumbnail',
    rss(`<media:thumbnail url="${PICTURE}" width="800" height="450"/>`),
    { image: PICTURE, imageSize: { width: 800, height: 450 } },
  ],
  [
    'a picture in Media RSS of which one side is known',
    rss(`<media:content url="${PICTURE}" medium="image" width="800"/>`),
    { image: PICTURE, imageSize: { width: 800, height: null } },
  ],
  [
    'a link of Atom, with Media RSS',
    atom(
      `<link rel="enclosure" href="${SOUND}" length="12345" type="audio/mpeg"/><media:content url="${SOUND}" duration="5"/>`,
    ),
    { enclosures: [{ ...sound, durationMs: 5_000 }] },
  ],
  [
    'an attachment of JSON Feed',
    json({
      attachments: [{ url: SOUND, mime_type: 'audio/mpeg', size_in_bytes: 12_345, duration_in_seconds: 6_629 }],
    }),
    { enclosures: [{ ...sound, durationMs: 6_629_000 }] },
  ],
  [
    'no size that could be true',
    rss(`<enclosure url="${SOUND}" length="12345" type="audio/mpeg"/><itunes:duration>long</itunes:duration>
         <media:thumbnail url="${PICTURE}" width="100%" height="0"/>`),
    { enclosures: [sound], image: PICTURE },
  ],
]

const sizesOf = ({ enclosures, image, imageSize }: ParsedItem): Sizes => ({
  enclosures,
  image,
  ...(imageSize && { imageSize }),
})
const read = (document: string): Sizes => sizesOf(parseFeed(Buffer.from(document)).items[0]!)

describe.each(SAID)('%s', (_name, document, expected) => {
  const said = { enclosures: [], image: null, ...expected }
  it('is read', () => expect(read(document)).toEqual(said))

  it('is stored', () => {
    const { item } = aPublishedItem()
    const [parsed] = parseFeed(Buffer.from(document)).items
    const row = { rest: packRest(parsed!), article: null, key: '0'.repeat(32), content_hash: '0'.repeat(32) }
    expect(sizesOf(itemOf({ ...item, ...row } as never))).toEqual(said)
  })

  it.each([
    ['RSS', renderRss],
    ['Atom', renderAtom],
    ['JSON Feed', renderJsonFeed],
  ])('is published as %s, and read again from there', (_format, render) => {
    const published = render(aFeed([aPublishedItem({ title: 'One', link: 'https://a.example/1', ...said })]))
    expect(read(published)).toEqual(said)
  })
})

it.each([
  ['90', 90_000],
  ['1:30', 90_000],
  ['01:01:30.5', 3_690_500],
  ['0', undefined],
  ['-5', undefined],
  ['99999999', undefined],
  ['1h', undefined],
  ['', undefined],
  [null, undefined],
])('a duration of %j is %s ms', (text, ms) => expect(readMediaDuration(text)).toBe(ms))

it.each([
  ['800', 800],
  ['800px', 800],
  [800, 800],
  ['80%', undefined],
  ['0', undefined],
  ['999999', undefined],
])('a side of %j is %s pixels', (text, pixels) => expect(readPixels(text)).toBe(pixels))
