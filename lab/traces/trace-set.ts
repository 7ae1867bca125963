import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { readTrace, type Trace } from '../worlds/trace.ts'

/** A recorded collection, and what its collector did to it. */
export interface TraceSet {
  readonly name: string
  /** Hours of the day (UTC) that the collector thinned: left out of whatever is judged by hours, and not filled. */
  readonly maskedHours: readonly number[]
}

export const RSS_2023: TraceSet = { name: 'rss-2023', maskedHours: [22, 23] }
export const RSS_2024: TraceSet = { name: 'rss-2024', maskedHours: [22, 23] }
export const REDDIT_2013: TraceSet = { name: 'reddit-2013', maskedHours: [] }
export const GITHUB_2025: TraceSet = { name: 'github-commits-2025', maskedHours: [] }

export const TRACE_SETS: readonly TraceSet[] = [RSS_2023, RSS_2024, REDDIT_2013, GITHUB_2025]

/** Traces are data that lie beside the project, never in it. */
export function tracesPresent(sets: readonly TraceSet[] = TRACE_SETS): boolean {
  return sets.every((set) => existsSync(tracePath(set)))
}

export function tracePath({ name }: TraceSet): string {
  return join(projectRoot(import.meta.dirname), '..', 'shared', 'traces', name, 'trace.csv.gz')
}

export async function readTraceSet(set: TraceSet): Promise<Trace> {
  if (!existsSync(tracePath(set))) {
    throw new HeadwaterError(
      'FILE_UNREADABLE',
      `this experiment replays recorded feeds; put ${set.name}/trace.csv.gz into shared/traces beside the project`,
    )
  }
  return readTrace(tracePath(set))
}

/** The same from the sources and compiled, whatever the working folder is. */
function projectRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || folder === dirname(folder)) return folder
  return projectRoot(dirname(folder))
}
