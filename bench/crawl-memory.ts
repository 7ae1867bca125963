import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepHeapSmall } from '../src/runtime/heap.ts'
import { openCrawlBench } from './crawl-pass.ts'
import { startWorldProcess } from './world-process.ts'

/** `node dist/bench/crawl-memory.js 10000`: crawls so many sources twice and prints the resident memory at the end. */
keepHeapSmall()
const sources = Number(process.argv[2])
const folder = mkdtempSync(join(tmpdir(), 'headwater-memory-'))
const world = await startWorldProcess(sources, 20)
try {
  const bench = await openCrawlBench(world.urls, folder, 32, 256)
  await bench.pass()
  await bench.pass()
  const residentMb = Math.round(process.memoryUsage().rss / 1024 ** 2)
  console.log(JSON.stringify({ sources, residentMb }))
  await bench.close()
} finally {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
}
