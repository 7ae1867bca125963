import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes that this process holds on to: objects and typed arrays, after garbage collection. */
export function usedHeapBytes(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

let collector: (() => void) | undefined

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  collector ??= runInNewContext('gc') as () => void
  collector()
}
