import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCrawlBench } from './crawl-pass.ts'
import { usedHeapBytes } from './schedule-memory.ts'

/** By how much the heap of a crawler grows with each source that it has, by two crawlers of different size. */
export async function heapPerSource(feeds: number, factor: number): Promise<number> {
  const few = await heapWith(feeds)
  const many = await heapWith(feeds * (factor + 1))
  return (many - few) / (feeds * factor)
}

async function heapWith(sources: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'))
  const before = usedHeapBytes()
  const urls = Array.from({ length: sources }, (_, index) => `http://site-${index}.example/feed.xml`)
  const bench = await openCrawlBench(urls, folder, 1, 1)
  urls.length = 0
  try {
    return usedHeapBytes() - before
  } finally {
    await bench.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
