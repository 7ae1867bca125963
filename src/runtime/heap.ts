import { setFlagsFromString } from 'node:v8'

/**
 * A crawler makes much garbage and keeps little, and V8 answers by letting the heap grow to several times what is alive:
 * two passes over 10,000 sources left 235 MB resident with 20 MB alive, and 186 MB when the heap may grow by half of what
 * is alive at a time; no difference in CPU time beyond noise.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
