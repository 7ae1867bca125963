interface Waiting<Record, Result> {
  readonly record: Record
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export interface GroupCommit<Record, Result> {
  /** Resolves when the record is committed. */
  submit(record: Record): Promise<Result>
  /** Commits what waits, now. */
  flush(): void
}

/**
 * Several writers share one commit: whatever is submitted in the same turn of the event loop goes into one transaction.
 * A turn is as long as the load makes it, so that groups grow when there is much to do and nobody waits when there is
 * little. If a group fails, each record is tried on its own, so that only the faulty one is refused.
 */
export function groupCommit<Record, Result>(options: {
  readonly write: (record: Record) => Result
  readonly transaction: <T>(action: () => T) => T
  readonly translate: (error: unknown) => unknown
  readonly committed: (results: readonly Result[]) => void
}): GroupCommit<Record, Result> {
  let waiting: Waiting<Record, Result>[] = []

  const flush = () => {
    if (waiting.length === 0) return
    const group = waiting
    waiting = []
    options.committed(commitTogether(group) ?? group.flatMap(commitAlone))
  }

  const commitTogether = (group: readonly Waiting<Record, Result>[]): readonly Result[] | null => {
    try {
      const results = options.transaction(() => group.map((one) => options.write(one.record)))
      for (const [at, one] of group.entries()) one.resolve(results[at]!)
      return results
    } catch {
      return null
    }
  }

  const commitAlone = (one: Waiting<Record, Result>): readonly Result[] => {
    try {
      const result = options.transaction(() => options.write(one.record))
      one.resolve(result)
      return [result]
    } catch (error) {
      one.reject(options.translate(error))
      return []
    }
  }

  return {
    submit: (record) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ record, resolve, reject })
      }),
    flush,
  }
}
