import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningNode, startNode } from '../../src/app/node.ts'
import { applyQueries } from '../../src/app/queries/apply.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { systemRandom } from '../../src/runtime/random.ts'
import { readWithFeedparser } from '../support/feed-readers.ts'
import { jsonFeedSchema } from '../support/json-feed-schema.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'

/* The examples of the thesis (1.3) and of the 2010 paper, from two feeds that are served to what a reader gets. */

interface Story {
  readonly title: string
  readonly text: string
  readonly categories: readonly string[]
}

const story = (title: string, text: string, ...categories: string[]): Story => ({ title, text, categories })

const GUARDIAN = [
  story('Ash over Europe', 'Flights are cancelled after the eruption in the north.'),
  story('ICELAND votes', 'A new parliament.'),
  story('Football results', 'Nothing erupted at all.', 'Sport'),
  story('A long winter', 'Snow again.', 'Weather'),
]
const PICTURE = [
  story('Under the glacier', 'Twenty-eight photographs.', 'Nature', 'Iceland'),
  story('A volcano seen from space', 'Photographs of a volcano, filed elsewhere.', 'Space'),
  story('Night of fire', 'Photographs.', 'ERUPTION'),
  story('Harvest', 'Photographs.', 'Farming'),
]

const ICE_VOL_ERU = ['Ash over Europe', 'ICELAND votes', 'Night of fire', 'Under the glacier']
/** Categories are part of an item's text. */
const SHORT_FORM = [...ICE_VOL_ERU, 'A volcano seen from space'].sort()

let site: LocalServer
let node: RunningNode
let folder: string

beforeAll(async () => {
  site = await startServer((request, response) => {
    const isGuardian = request.url === '/theguardian/rss'
    response.setHeader('content-type', isGuardian ? 'application/rss+xml' : 'application/atom+xml')
    response.end(isGuardian ? rss(GUARDIAN) : atom(PICTURE))
  })
  folder = mkdtempSync(join(tmpdir(), 'headwater-thesis-'))
  const config = loadConfig(folder, { port: 0, allowRange: ['loopback'], hostSpacing: 0, logLevel: 'silent' }, {})
  node = await startNode(config, { clock: systemClock, random: systemRandom, logger: createLogger('silent') })
  const guardian = site.url('/theguardian/rss')
  const picture = site.url('/bigpicture/index.xml')
  await applyQueries(
    `CREATE FEED IceVolEruFeed AS
     RETURN "${guardian}" AS $guardian |
            "${picture}" AS $picture
     WHERE $guardian[ITEM CONTAINS "iceland" OR
                     ITEM CONTAINS "volcano" OR
                     ITEM CONTAINS "eruption"] AND
           $picture[CATEGORY = "iceland" OR
                    CATEGORY = "volcano" OR
                    CATEGORY = "eruption"];

     CREATE FEED IcelandVolcanoEruption AS
     RETURN "${guardian}" | "${picture}"
     WHERE ITEM CONTAINS "iceland" OR "volcano" OR "eruption"`,
    node.data.store,
    { now: systemClock.now() },
  )
})

afterAll(async () => {
  await node?.stop()
  await site?.close()
  rmSync(folder, { recursive: true, force: true })
})

const urlOf = (name: string, format: string) => `${node.url}/feeds/${name}.${format}`

async function jsonItems(name: string) {
  const answer = await fetch(urlOf(name, 'json'))
  return answer.ok ? jsonFeedSchema.parse(await answer.json()).items : []
}

describe.each([
  ['IceVolEruFeed of the thesis', 'IceVolEruFeed', ICE_VOL_ERU],
  ['the short form of the 2010 paper', 'IcelandVolcanoEruption', SHORT_FORM],
])('%s', (_, name, titles) => {
  it('holds what fits and nothing else, soon after its sources were fetched for the first time', async () => {
    const jsonTitles = async () => (await jsonItems(name)).map(({ title }) => title).sort()
    await expect.poll(jsonTitles, { interval: 100 }).toEqual(titles)
  })

  it('is read by feedparser as RSS and as Atom, with the same items in the same order as JSON Feed', async () => {
    const items = await jsonItems(name)
    const readings = await readWithFeedparser([urlOf(name, 'rss'), urlOf(name, 'atom')])
    expect(readings.map(({ bozo, problem }) => ({ bozo, problem }))).toEqual([
      { bozo: false, problem: null },
      { bozo: false, problem: null },
    ])
    for (const { entries } of readings) {
      expect(entries.map(({ id, title }) => ({ id, title }))).toEqual(items.map(({ id, title }) => ({ id, title })))
      const sources = new Map(entries.map(({ title, source }) => [title, source]))
      expect(sources.get('Ash over Europe')).toBe('The Guardian')
      expect(sources.get('Under the glacier')).toBe('The Big Picture')
    }
  })
})

function rss(stories: readonly Story[]): string {
  const items = stories.map(
    ({ title, text, categories }, i) =>
      `<item><guid>http://guardian.example/${i}</guid><title>${title}</title><description>${text}</description>${categories
        .map((category) => `<category>${category}</category>`)
        .join('')}</item>`,
  )
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>The Guardian</title>
    <link>http://guardian.example/</link><description>News</description>${items.join('')}</channel></rss>`
}

function atom(stories: readonly Story[]): string {
  const entries = stories.map(
    ({ title, text, categories }, i) =>
      `<entry><id>tag:picture.example,2010:${i}</id><title>${title}</title><updated>2010-04-1${i}T12:00:00Z</updated>
       <link href="http://picture.example/${i}"/><summary>${text}</summary>${categories
         .map((category) => `<category term="${category}"/>`)
         .join('')}</entry>`,
  )
  return `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>tag:picture.example,2010:feed</id>
    <title>The Big Picture</title><updated>2010-04-20T12:00:00Z</updated>${entries.join('')}</feed>`
}
