const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls back when the signal aborts; returns how to be left alone. One listener per signal, however many wait for it: a
 * node has one signal for thousands of fetches, and Node warns of a leak from the eleventh listener on.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let callbacks = waiting.get(signal)
  if (callbacks === undefined) {
    const created = new Set<() => void>()
    callbacks = created
    waiting.set(signal, created)
    const listener = () => {
      for (const call of [...created]) call()
    }
    signal.addEventListener('abort', listener, { once: true })
  }
  callbacks.add(callback)
  return () => callbacks.delete(callback)
}
