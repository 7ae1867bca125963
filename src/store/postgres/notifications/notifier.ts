import { randomUUID } from 'node:crypto'
import { createNotifier, NOTIFIER_CHANNELS, type NotifierChannel } from '../../../buffer/notifier.ts'
import { createRelay, type Relay } from '../../../buffer/relay.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Sql } from '../database/sql.ts'
import { CHANNEL, hearMessages, type Listener, type ListenerOptions } from './listener.ts'

/** At most ten messages a second: NOTIFY in every commit took the server from 669 commits a second to 183. */
const SEND_EVERY_MS = 100

export interface PostgresNotifier extends Relay {
  /** From now on it hears what other processes send; a command waits for nobody, and need not. */
  listen(connect: ListenerOptions['connect']): void
}

/** Wakes those who wait in any process over the database. Sent outside of transactions, so that no commit waits for it. */
export function createPostgresNotifier(sql: Pick<Sql, 'run'>, clock: Clock): PostgresNotifier {
  const self = randomUUID()
  let listener: Listener | null = null
  const relay = createRelay({
    local: createNotifier(clock),
    clock,
    everyMs: SEND_EVERY_MS,
    send: async (channels) => {
      await sql.run('SELECT pg_notify($1, $2)', [CHANNEL, `${self} ${channels.join(' ')}`])
    },
  })
  return {
    ...relay,
    listen(connect) {
      listener ??= hearMessages({
        connect,
        clock,
        onMessage(text) {
          const [sender, ...names] = text.split(' ')
          if (sender !== self) relay.receive(names.filter(isChannel))
        },
        onListening: () => relay.receive(NOTIFIER_CHANNELS),
      })
    },
    async close() {
      await listener?.close()
      await relay.close()
    },
  }
}

function isChannel(name: string): name is NotifierChannel {
  return NOTIFIER_CHANNELS.some((known) => known === name)
}
