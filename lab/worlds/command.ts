import { fstatSync } from 'node:fs'
import { systemClock } from '../../src/runtime/clock.ts'
import { startDemoWorld } from './demo.ts'
import type { PageStyle } from './older-pages.ts'
import { startWorld } from './server.ts'
import { readTrace, tracePlans, traceSpan } from './trace.ts'
import type { World } from './world.ts'

export interface WorldCommandOptions {
  readonly feeds?: number
  readonly window?: number
  /** Mean items per feed and virtual day. */
  readonly items?: number
  readonly speed?: number
  readonly seed?: number
  readonly port?: number
  /** Share of feeds with bad habits, 0 to 1. */
  readonly odd?: number
  readonly perHost?: number
  readonly pages?: number
  readonly pageStyle?: PageStyle
  readonly maxAge?: number
  /** A trace file instead of generated feeds; the world starts two weeks into it. */
  readonly trace?: string
  /** The world of `headwater serve --demo`. */
  readonly demo?: boolean
  /** One line of JSON when ready instead of words. */
  readonly json?: boolean
  readonly untilParentExits?: boolean
}

const TRACE_LEAD_MS = 14 * 24 * 60 * 60 * 1000
const PARENT_CHECK_MS = 500

/** Serves a world until it is stopped; resolves with the exit code. */
export async function runWorldCommand(options: WorldCommandOptions): Promise<number> {
  const world = await worldFor(options)
  const ready = { port: world.port, url: world.url, opml: world.opmlUrl, feeds: world.feedCount, pid: process.pid }
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify(ready)}\n`
      : `${world.feedCount} feeds at ${world.url}\nOPML: ${world.opmlUrl}\nFirst feed: ${world.feedUrl(0)}\nEnd with Ctrl-C.\n`,
  )
  const end = () => void world.close()
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  const stopWatching = options.untilParentExits === true ? watchParent(end) : () => undefined
  await world.closed
  stopWatching()
  process.off('SIGTERM', end)
  process.off('SIGINT', end)
  return 0
}

async function worldFor(options: WorldCommandOptions): Promise<World> {
  const { seed = 1, port = 0 } = options
  if (options.demo === true) return startDemoWorld(systemClock, seed, { port })
  const shared = {
    seed,
    port,
    speed: options.speed ?? 1,
    feedsPerHost: options.perHost ?? 1,
    pages: options.pages ?? 0,
    pageStyle: options.pageStyle ?? 'paged',
    ...(options.maxAge === undefined ? {} : { maxAgeS: options.maxAge }),
  }
  if (options.trace !== undefined) {
    const trace = await readTrace(options.trace)
    const startAt = traceSpan(trace).fromMs + TRACE_LEAD_MS
    return startWorld({ ...shared, feeds: tracePlans(trace, options.window ?? 20), startAt })
  }
  return startWorld({
    ...shared,
    feeds: options.feeds ?? 100,
    windowItems: options.window ?? 20,
    itemsPerDay: options.items ?? 20,
    oddShare: options.odd ?? 0,
  })
}

/** A parent that was killed cannot say goodbye: its end of our stdin closes, or we are given another parent. */
function watchParent(onGone: () => void): () => void {
  const stdin = fstatSync(0)
  if (stdin.isFIFO() || stdin.isSocket()) {
    process.stdin.once('end', onGone).once('error', onGone).resume()
  }
  const parent = process.ppid
  const watching = new AbortController()
  void (async () => {
    while (!watching.signal.aborted && process.ppid === parent)
      await systemClock.sleep(PARENT_CHECK_MS, watching.signal)
    if (!watching.signal.aborted) onGone()
  })()
  return () => {
    watching.abort()
    process.stdin.pause()
  }
}
