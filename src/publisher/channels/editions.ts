import { type FeedAddress, feedPath } from '../addresses.ts'
import { createByteCache } from '../byte-cache.ts'
import type { FeedService, RenderedFeed } from '../feeds.ts'
import type { FeedFormatName } from '../published-feed.ts'

/** A built-in feed as it is sent to all who have subscribed to it. */
export interface Editions {
  /** null: there is no such feed any more. */
  get(address: FeedAddress, format: FeedFormatName, edition: number): Promise<RenderedFeed | null>
}

interface Rendering {
  readonly edition: number
  readonly feed: Promise<RenderedFeed | null>
}

/** Documents that are kept while they go out. */
const MOST_BYTES = 8 * 1024 ** 2

/**
 * Renders each edition once, however many wait for it and whatever comes meanwhile: what came later is in the next one. Another process
 * may have heard what is new, so that the feed is stale here whatever this one knows.
 */
export function createEditions(feeds: Pick<FeedService, 'get' | 'markStale'>): Editions {
  const sent = createByteCache<Rendering>(MOST_BYTES)
  const underWay = new Map<string, Rendering>()

  return {
    async get(address, format, edition) {
      const key = `${feedPath(address)}.${format}`
      const known = [underWay.get(key), sent.get(key)].find((one) => one !== undefined && one.edition >= edition)
      return (known ?? begin(key, address, format, edition)).feed
    },
  }

  function begin(key: string, address: FeedAddress, format: FeedFormatName, edition: number): Rendering {
    feeds.markStale([address])
    const rendering = { edition, feed: feeds.get(address, format) }
    underWay.set(key, rendering)
    const end = () => underWay.get(key) === rendering && underWay.delete(key)
    rendering.feed.then((feed) => {
      if (end() && feed !== null) sent.set(key, rendering, feed.body.length)
    }, end)
    return rendering
  }
}
