import type * as CliProgress from 'cli-progress'
import { loadLater } from '../runtime/load-later.ts'

/** Drawn by few commands, and on a terminal alone. */
export const progressBars = loadLater<typeof CliProgress>('cli-progress')
