import { readFileSync } from 'node:fs'
import { z } from 'zod'

const amount = z.number().nonnegative()

/** What one of each costs, as `headwater bench costs` measures it. */
const UnitCostsSchema = z.object({
  measured: z.object({ with: z.string(), at: z.string(), machine: z.string(), node: z.string(), server: z.string() }),
  crawler: z.object({
    /** Of a document that has not changed, and of one in which all items are new. */
    cpuMicrosPerRefresh: amount,
    cpuMicrosPerDocument: amount,
    itemsPerDocument: amount,
    /** Of a process that has crawled a thousand feeds. */
    residentBytes: amount,
    heapBytesPerSource: amount,
  }),
  matcher: z.object({ queries: amount, cpuMicrosPerItem: amount, heapBytesPerQuery: amount }),
  server: z.object({
    cpuMicrosPerRefresh: amount,
    /** With full text. */
    cpuMicrosPerItem: amount,
    cpuMicrosPerPublication: amount,
    cpuMicrosPerDraw: amount,
    /** Of its log, which goes to standbys and archives. */
    logBytesPerRefresh: amount,
    logBytesPerItem: amount,
  }),
  /** With indices. */
  bytesPerRow: z.object({
    source: amount,
    source_state: amount,
    source_window: amount,
    source_items: amount,
    model: amount,
    observation: amount,
    quality_hour: amount,
    quality_delay: amount,
    source_day: amount,
    item: amount,
    item_key: amount,
    item_words: amount,
    buffer_entry: amount,
    publication: amount,
  }),
})

export type UnitCosts = z.infer<typeof UnitCostsSchema>
export type CountedTable = keyof UnitCosts['bytesPerRow']
export const COUNTED_TABLES = UnitCostsSchema.shape.bytesPerRow.keyof().options

/** Those that were measured last, and stored beside this file. */
export function readUnitCosts(file = new URL('unit-costs.json', import.meta.url)): UnitCosts {
  return UnitCostsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
}
