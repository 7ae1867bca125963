import type { Client } from 'pg'
import type { DurationMs } from '../../../model/index.ts'
import type { Clock } from '../../../runtime/clock.ts'

/** Of PostgreSQL; a database has its own. */
export const CHANNEL = 'headwater'

const PAUSE_MS: DurationMs = 1_000

export interface ListenerOptions {
  /** A connection apart from the pool: PostgreSQL tells a session. */
  readonly connect: () => Promise<Client>
  readonly clock: Pick<Clock, 'sleep'>
  readonly onMessage: (text: string) => void
  /** What was sent before may have been missed. */
  readonly onListening: () => void
}

export interface Listener {
  close(): Promise<void>
}

/** Hears what processes over the same database send. A connection that is lost is made again. */
export function hearMessages({ connect, clock, onMessage, onListening }: ListenerOptions): Listener {
  const ending = new AbortController()
  const { signal } = ending
  const listenOnce = async () => {
    const client = await connect()
    try {
      client.on('notification', ({ payload }) => onMessage(payload ?? ''))
      const over = endOf(client, signal)
      await client.query(`LISTEN ${CHANNEL}`)
      onListening()
      await over
    } finally {
      await client.end().catch(() => {})
    }
  }
  const run = async () => {
    while (!signal.aborted) {
      await listenOnce().catch(() => {})
      await clock.sleep(PAUSE_MS, signal)
    }
  }
  const running = run()
  return {
    async close() {
      ending.abort()
      await running
    },
  }
}

/** Resolves when the connection is gone, or nobody wants to listen any more. */
function endOf(client: Client, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', () => resolve())
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
