/** One piece of work for any number of concurrent askers with the same key; the next asker after its end starts anew. */
export function singleFlight<K, T>(): (key: K, work: () => Promise<T>) => Promise<T> {
  const inFlight = new Map<K, Promise<T>>()
  return (key, work) => {
    const running = inFlight.get(key)
    if (running !== undefined) return running
    const started = (async () => work())().finally(() => inFlight.delete(key))
    inFlight.set(key, started)
    return started
  }
}
