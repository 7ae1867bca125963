import type { SourceId } from '../../../model/index.ts'

interface Waiting<Record, Result> {
  readonly record: Record
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export interface GroupCommit<Record, Result> {
  /** Resolves when the record is committed. */
  submit(record: Record): Promise<Result>
  /** Resolves when nothing waits any more. */
  drain(): Promise<void>
}

const LARGEST_GROUP = 64

/**
 * Records that come while a group is on its way make the next one, so that groups grow with the load and nobody waits
 * without need. Of each source a group holds one record at most; a second goes into a later one, in order. If a group fails,
 * each of its records is tried on its own, so that only the faulty one is refused. An answer that is an error is of its record.
 */
export function groupCommit<Record extends { readonly sourceId: SourceId }, Result>(
  write: (records: readonly Record[]) => Promise<readonly (Result | Error)[]>,
): GroupCommit<Record, Result> {
  let waiting: Waiting<Record, Result>[] = []
  let work: Promise<void> | null = null

  const takeGroup = (): Waiting<Record, Result>[] => {
    const sources = new Set<SourceId>()
    const group: Waiting<Record, Result>[] = []
    const left: Waiting<Record, Result>[] = []
    for (const one of waiting) {
      const { sourceId } = one.record
      const fits = group.length < LARGEST_GROUP && !sources.has(sourceId)
      // What is left holds back those of the same source behind it.
      sources.add(sourceId)
      if (fits) group.push(one)
      else left.push(one)
    }
    waiting = left
    // Everybody locks sources in the same order.
    return group.sort((a, b) => a.record.sourceId - b.record.sourceId)
  }
  const commit = async (group: readonly Waiting<Record, Result>[]): Promise<void> => {
    try {
      const results = await write(group.map(({ record }) => record))
      for (const [index, one] of group.entries()) {
        const result = results[index]
        if (result === undefined) one.reject(new Error('the server gave no answer for a refresh'))
        else if (result instanceof Error) one.reject(result)
        else one.resolve(result)
      }
    } catch (error) {
      if (group.length === 1) for (const one of group) one.reject(error)
      else for (const one of group) await commit([one])
    }
  }
  const workOn = async (): Promise<void> => {
    while (waiting.length > 0) await commit(takeGroup())
    work = null
  }

  return {
    submit: (record) =>
      new Promise((resolve, reject) => {
        waiting.push({ record, resolve, reject })
        // In a later turn of the loop: what comes in this one goes along.
        work ??= new Promise<void>((begin) => setImmediate(begin)).then(workOn)
      }),
    drain: async () => {
      while (work !== null) await work
    },
  }
}
