/**
 * One call at a time, and always one with the last value given: calls beside each other may arrive in another order than they were
 * made, and an older value would then be the one that is stored. Values between are skipped.
 */
export function latestOnly<T>(save: (value: T) => Promise<unknown>): (value: T) => Promise<void> {
  let waiting: { readonly value: T } | null = null
  let running: Promise<void> | null = null
  const work = async () => {
    while (waiting !== null) {
      const { value } = waiting
      waiting = null
      await save(value)
    }
  }
  return (value) => {
    waiting = { value }
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}
