import { HOUR_MS, type InstantMs, MINUTE_MS } from '../model/index.ts'
import type { Alarms } from './alarms.ts'
import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'

/** Of errors that nobody caught. */
export interface Surprises {
  note(error: unknown): void
  readonly count: number
}

export interface SurprisesDeps {
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
  readonly alarms: Alarms
  /** They come so fast that going on helps nobody. */
  readonly onFlood: (error: unknown) => void
}

const MOST_A_MINUTE = 20
const SHOWN_FOR_MS = HOUR_MS

/**
 * An error that nobody caught is a mistake of ours. It is logged with its cause, counted and shown for an hour, and the node
 * goes on: everything that must last is written in transactions, layers are supervised, and ending the process would give
 * anybody who can cause one such error a way to end the node. Only a flood of them ends it.
 */
export function createSurprises({ clock, logger, alarms, onFlood }: SurprisesDeps): Surprises {
  let count = 0
  let recent: InstantMs[] = []
  const clearLater = async (countThen: number) => {
    await clock.sleep(SHOWN_FOR_MS)
    if (count === countThen) alarms.clear('UNEXPECTED_ERROR')
  }
  return {
    note(error) {
      count++
      const now = clock.monotonicMs()
      recent = [...recent.filter((at) => at > now - MINUTE_MS), now]
      logger.error({ err: error }, 'an error that nobody caught')
      alarms.raise('UNEXPECTED_ERROR', error instanceof Error ? error.message : String(error))
      void clearLater(count)
      if (recent.length > MOST_A_MINUTE) onFlood(error)
    },
    get count() {
      return count
    },
  }
}

/** Hands on what nobody in this process caught; returns what ends that. */
export function listenForSurprises(note: (error: unknown) => void): () => void {
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  return () => {
    process.off('uncaughtException', note)
    process.off('unhandledRejection', note)
  }
}
