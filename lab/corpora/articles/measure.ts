import { median } from 'simple-statistics'
import type { ArticlePage, Extraction } from '../../../src/articles/article.ts'
import { extractArticle } from '../../../src/articles/extract/extract.ts'
import { createExtractor } from '../../../src/articles/threads/extractor.ts'
import { entryAt } from '../../../src/model/entry-at.ts'

export interface MeasuredPage {
  readonly name: string
  /** null after a crash. */
  readonly extraction: Extraction | null
  readonly crash: string | null
  readonly cpuMs: number
}

const SLOW_MS = 500
const ATTEMPTS = 3

/** One page; a slow one gets more chances, for a busy machine says nothing about the extractor. */
export function measurePage(name: string, page: ArticlePage): MeasuredPage {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 1; ; attempt++) {
    const before = process.cpuUsage()
    try {
      const extraction = extractArticle(page)
      const { user, system } = process.cpuUsage(before)
      best = Math.min(best, (user + system) / 1_000)
      if (best < SLOW_MS || attempt === ATTEMPTS) return { name, extraction, crash: null, cpuMs: best }
    } catch (error) {
      const crash = error instanceof Error ? (error.stack ?? error.message) : String(error)
      return { name, extraction: null, crash, cpuMs: 0 }
    }
  }
}

export interface MemoryFigures {
  readonly pages: number
  readonly failures: number
  readonly cpuMsPerPage: number
  /** Of the process with its threads, in MB: the most in the second and in the last fifth. */
  readonly rssEarlyMb: number
  readonly rssLateMb: number
}

/** Many pages through one thread, as a node does: whether memory grows. */
export async function measureMemory(pages: readonly ArticlePage[], count: number): Promise<MemoryFigures> {
  const extractor = createExtractor({ threads: 1 })
  const rss: number[] = []
  let failures = 0
  const before = process.cpuUsage()
  for (let done = 0; done < count; done++) {
    const { kind } = await extractor.extract(entryAt(pages, done % pages.length))
    if (kind === 'failure') failures++
    rss.push(process.memoryUsage.rss() / 1_048_576)
  }
  const { user, system } = process.cpuUsage(before)
  await extractor.close()
  const fifth = Math.floor(count / 5)
  return {
    pages: count,
    failures,
    cpuMsPerPage: round((user + system) / 1_000 / count),
    rssEarlyMb: round(Math.max(...rss.slice(fifth, 2 * fifth))),
    rssLateMb: round(Math.max(...rss.slice(4 * fifth))),
  }
}

export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits))
}

export function medianOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : median([...values])
}
