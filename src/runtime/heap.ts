import { getHeapStatistics, setFlagsFromString } from 'node:v8'

const MIB = 1024 ** 2
/** What V8 counts to its limit for young objects: with 96 MB of heap it names 144, but what lives on has 96. */
const YOUNG_BYTES = 48 * MIB
/** Code and what a node holds that has nothing to do: 38 to 42 MB. */
const PROGRAM_BYTES = 48 * MIB
const LEAST_SPARE_BYTES = 16 * MIB

/** How much of the heap is there for work: documents that are read, texts, caches. All of them share it. */
export function spareHeapBytes(limitBytes: number = getHeapStatistics().heap_size_limit): number {
  return Math.max(LEAST_SPARE_BYTES, limitBytes - YOUNG_BYTES - PROGRAM_BYTES)
}

/**
 * A crawler makes much garbage and keeps little, and V8 answers by letting the heap grow to several times what is alive:
 * two passes over 10,000 sources left 235 MB resident with 20 MB alive, and 193 MB when the heap may grow to twice of what
 * is alive. To one and a half: 182 MB, but a cold refresh took 15 % more CPU time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100')
}

/**
 * For threads that compute without a pause, and only those that begin afterwards. They compile what is hot at once: while a
 * thread beside them compiles, slow code goes on running, the longer the busier the machine is. No object is taken for an
 * old one by the place that makes it: that guess once kept half of a simulation's garbage until the next full collection.
 * Garbage is collected alone: nearly nothing of it lives on, so that helpers wake up for nothing. And the heap may grow as
 * the engine likes, whatever `keepHeapSmall` said (decision 0067).
 */
export function computeInThreads(): void {
  setFlagsFromString('--no-concurrent-recompilation')
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--heap-growing-percent=0')
}
