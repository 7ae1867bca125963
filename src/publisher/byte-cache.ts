/** Keeps the most recently used values as long as their sizes fit together. */
export interface ByteCache<V, K = string> {
  get(key: K): V | undefined
  set(key: K, value: V, bytes: number): void
  delete(key: K): void
  clear(): void
  readonly bytes: number
}

export function createByteCache<V, K = string>(maxBytes: number): ByteCache<V, K> {
  // A Map remembers the order of insertion: the first entry is the one used longest ago.
  const entries = new Map<K, { readonly value: V; readonly bytes: number }>()
  let total = 0

  function remove(key: K): void {
    total -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, bytes) {
      remove(key)
      if (bytes > maxBytes) return
      entries.set(key, { value, bytes })
      total += bytes
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break
        remove(oldest)
      }
    },
    delete: remove,
    clear() {
      entries.clear()
      total = 0
    },
    get bytes() {
      return total
    },
  }
}
