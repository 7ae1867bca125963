import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import type { PerSource } from './source-tally.ts'
import type { MeasuredRow } from './types.ts'

/** All that a figure depends on; what is equal in all of it need not be measured again. */
export type ResultKey = Readonly<Record<string, string | number | null>>

/**
 * Figures already measured, one file each, written as soon as they are there: a run of hours that is ended goes on where
 * it was, and one with another budget measures only that.
 */
export class ResultFolder {
  constructor(private readonly folder: string) {
    try {
      mkdirSync(folder, { recursive: true })
    } catch (cause) {
      throw new HeadwaterError('FILE_UNWRITABLE', folder, { cause })
    }
  }

  get(key: ResultKey): unknown {
    try {
      const { key: found, value } = JSON.parse(readFileSync(this.path(key), 'utf8')) as { key: unknown; value: unknown }
      return JSON.stringify(found) === JSON.stringify(key) ? value : undefined
    } catch {
      // Absent, or half of a file: measured again.
      return undefined
    }
  }

  put(key: ResultKey, value: unknown): void {
    const path = this.path(key)
    const written = `${path}.${process.pid}`
    try {
      writeFileSync(written, JSON.stringify({ key, value }))
      renameSync(written, path)
    } catch (cause) {
      throw new HeadwaterError('FILE_UNWRITABLE', path, { cause })
    }
  }

  private path(key: ResultKey): string {
    const hash = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 16)
    return join(this.folder, `${hash}.json`)
  }
}

/** Typed arrays would become objects. */
export function rowToJson({ perSource, ...row }: MeasuredRow): unknown {
  return { ...row, perSource: Object.fromEntries(Object.entries(perSource).map(([name, sums]) => [name, [...sums]])) }
}

export function rowFromJson(value: unknown): MeasuredRow {
  const row = value as Omit<MeasuredRow, 'perSource'> & { perSource: Record<keyof PerSource, number[]> }
  const { requests, delayMs, items, lost } = row.perSource
  return {
    ...row,
    perSource: {
      requests: Float64Array.from(requests),
      delayMs: Float64Array.from(delayMs),
      items: Float64Array.from(items),
      lost: Float64Array.from(lost),
    },
  }
}
