import type { PoolClient, QueryResult } from 'pg'
import type { Notifier } from '../../../buffer/notifier.ts'
import type { InstantMs } from '../../../model/index.ts'
import type { Vault } from '../../../runtime/vault.ts'
import { isRepeatable, translate } from './failures.ts'
import { type Lock, lockStatement } from './locks.ts'
import type { DatabaseConnections } from './pool.ts'

/** Statements, one after the other; each query says what its rows look like. */
export interface Sql {
  rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** The first row; null: none. */
  first<Row>(text: string, values?: readonly unknown[]): Promise<Row | null>
  /** How many rows were changed. */
  run(text: string, values?: readonly unknown[]): Promise<number>
}

/** What the parts of the store work with. By itself each statement is a transaction of its own. */
export interface Access extends Sql {
  /** Everything in it is written or nothing; it begins with these locks. Repeated where it met another in a circle. */
  transaction<T>(locks: readonly Lock[], action: (sql: Sql) => Promise<T>): Promise<T>
  /** Everything read in it is of one moment. */
  snapshot<T>(action: (sql: Sql) => Promise<T>): Promise<T>
  readonly vault: Vault
  readonly notifier: Notifier
  /** After entries of the buffer were added or taken away. */
  readonly bufferChanged: () => void
  readonly now: () => InstantMs
}

const MOST_ATTEMPTS = 5
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

export function createAccess(options: {
  readonly connections: DatabaseConnections
  readonly shown: string
  readonly vault: Vault
  readonly notifier: Notifier
  readonly now: () => InstantMs
}): Access {
  const { connections, shown, vault, notifier, now } = options
  const within = async <T>(begin: string, action: (sql: Sql) => Promise<T>): Promise<T> => {
    const client = await connections.connect()
    let broken: Error | undefined
    try {
      await client.query(begin)
      const result = await action(sqlOf((text, values) => client.query(text, values)))
      await client.query('COMMIT')
      return result
    } catch (error) {
      broken = await rollBack(client, error)
      throw error
    } finally {
      client.release(broken)
    }
  }
  return {
    ...directSql(connections, shown),
    transaction: (locks, action) =>
      translated(shown, () =>
        repeated(() => within(locks.length === 0 ? 'BEGIN' : `BEGIN; ${lockStatement(locks)}`, action)),
      ),
    snapshot: (action) => translated(shown, () => within(SNAPSHOT, action)),
    vault,
    notifier,
    bufferChanged() {
      notifier.notify('entries')
      notifier.notify('room')
    },
    now,
  }
}

/** Each statement on whichever connection is free. */
export function directSql(connections: DatabaseConnections, shown: string): Sql {
  const ask: Ask = async (text, values) => {
    const client = await connections.connect()
    let failure: unknown
    try {
      return await client.query(text, values)
    } catch (error) {
      failure = error
      throw error
    } finally {
      client.release(hasNoAnswer(failure))
    }
  }
  return sqlOf((text, values) => translated(shown, () => ask(text, values)))
}

/** What is asked next would wait behind it: such a connection is not used again. */
function hasNoAnswer(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

async function translated<T>(shown: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw translate(shown, error)
  }
}

/** An error: the connection cannot be used any more. */
async function rollBack(client: PoolClient, reason: unknown): Promise<Error | undefined> {
  if (reason instanceof Error && hasNoAnswer(reason)) return reason
  try {
    await client.query('ROLLBACK')
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function repeated<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action()
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isRepeatable(error)) throw error
    }
  }
}

type Ask = (text: string, values: unknown[]) => Promise<QueryResult>

function sqlOf(ask: Ask): Sql {
  const all = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await ask(text, values.map(storable))).rows as Row[]
  return {
    rows: all,
    first: async <Row>(text: string, values?: readonly unknown[]) => (await all<Row>(text, values))[0] ?? null,
    run: async (text, values = []) => (await ask(text, values.map(storable))).rowCount ?? 0,
  }
}

const NUL = '\u0000'

/** PostgreSQL's texts cannot hold NUL; as in HTML, what cannot be there is marked as such. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes(NUL) ? value.replaceAll(NUL, '\ufffd') : value
  if (Array.isArray(value)) return value.some(hasNul) ? value.map(storable) : value
  return value
}

function hasNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes(NUL)
}
