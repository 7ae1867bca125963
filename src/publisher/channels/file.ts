import { open, rename, rm } from 'node:fs/promises'
import { extname } from 'node:path'
import { tableOf } from '../../model/table.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { FeedFormatName } from '../published-feed.ts'
import { type Channel, DELIVERY_DONE, type DeliveryOutcome, dead, type Outgoing, retryLater } from './channel.ts'
import { appendLines } from './json-lines.ts'
import { resolveOutputPath } from './output-path.ts'
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
        const path = await resolveOutputPath(outgoing.target, folder)
        const format = FORMAT_OF[extname(path).toLowerCase()]
        if (format === undefined) await appendPublications(path, outgoing)
        else await replaceFeed(path, await render(outgoing.feed.name, format))
        return DELIVERY_DONE
      } catch (error) {
        return failureOutcome(error)
      }
    },
    close: async () => {},
  }
}

async function appendPublications(path: string, { feed, items }: Outgoing): Promise<void> {
  await appendLines(path, (last) => {
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

/** A reader of the file finds the old feed or the new one, never half of it, also after a power cut. */
async function replaceFeed(path: string, body: Buffer | null): Promise<void> {
  if (body === null) return
  const draft = `${path}.new`
  try {
    const file = await open(draft, 'w')
    try {
      await file.writeFile(body)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function failureOutcome(error: unknown): DeliveryOutcome {
  if (error instanceof HeadwaterError && error.code === 'FILE_OUTSIDE') return dead('FILE_OUTSIDE', error.message)
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (typeof code !== 'string') throw error
  return retryLater('FILE_UNWRITABLE', code)
}
