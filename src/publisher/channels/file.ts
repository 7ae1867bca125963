import { open, rename, rm } from 'node:fs/promises'
import { extname } from 'node:path'
import { tableOf } from '../../model/table.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { FeedFormatName } from '../published-feed.ts'
import { type Channel, DELIVERED, type DeliveryOutcome, dead, type Outgoing, retryLater } from './channel.ts'
import { placeOf } from './file-place.ts'
import { appendLines } from './json-lines.ts'
import { publicationJson } from './publication-json.ts'

export interface FileOptions {
  /** Files are written below this folder only. */
  readonly folder: string
  /** The feed as it is now; null if there is none any more. */
  readonly render: (feedName: string, format: FeedFormatName) => Promise<Buffer | null>
}

const FORMAT_OF = tableOf<FeedFormatName>({
  '.rss': 'rss',
  '.xml': 'rss',
  '.atom': 'atom',
  '.json': 'json',
})

/** Keeps a feed document up to date, or appends one line of JSON per publication: the ending of the path decides. */
export function createFileChannel({ folder, render }: FileOptions): Channel {
  return {
    mostItems: () => 500,
    async deliver(outgoing): Promise<DeliveryOutcome> {
      try {
        const place = await placeOf(outgoing.target, folder)
        const format = FORMAT_OF[extname(place).toLowerCase()]
        if (format === undefined) await appendPublications(place, outgoing)
        else await replaceFeed(place, await render(outgoing.feed.name, format))
        return DELIVERED
      } catch (error) {
        return failed(error)
      }
    },
    close: async () => {},
  }
}

async function appendPublications(place: string, { feed, items }: Outgoing): Promise<void> {
  await appendLines(place, (last) => {
    const written = items.findIndex(({ publicationId }) => publicationId === idOf(last))
    return items.slice(written + 1).map((item) => JSON.stringify(publicationJson(feed, item)))
  })
}

function idOf(line: string | null): unknown {
  try {
    return JSON.parse(line ?? 'null')?.publication_id ?? null
  } catch {
    return null
  }
}

/** Whoever reads the file finds the old feed or the new one, never half of it, also after a power cut. */
async function replaceFeed(place: string, body: Buffer | null): Promise<void> {
  if (body === null) return
  const draft = `${place}.new`
  try {
    const file = await open(draft, 'w')
    try {
      await file.writeFile(body)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(draft, place)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function failed(error: unknown): DeliveryOutcome {
  if (error instanceof HeadwaterError && error.code === 'FILE_OUTSIDE') return dead('FILE_OUTSIDE', error.message)
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (typeof code !== 'string') throw error
  return retryLater('FILE_UNWRITABLE', code)
}
