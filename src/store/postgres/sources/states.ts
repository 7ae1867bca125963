import { isOfMember, type MemberState, type NamedState, type StateName, type StateReader } from '../../node-state.ts'
import type { Sql } from '../database/sql.ts'

/** What one member sees of the named states, and writes. */
export interface MemberStates {
  read<Value>(sql: Sql, state: NamedState<Value>): Promise<Value>
  readAll<Value>(sql: Sql, state: NamedState<Value>): Promise<readonly MemberState<Value>[]>
  write<Value>(sql: Sql, state: NamedState<Value>, value: Value): Promise<void>
  agreeOn<Value>(sql: Sql, state: NamedState<Value>, proposal: Value): Promise<Value>
  /** Within a transaction that keeps others from changing it. */
  change<Value>(sql: Sql, state: NamedState<Value>, change: (value: Value) => Value): Promise<Value>
}

/** Under which the states stand that all members share. */
const ALL = ''

export function memberStates(memberId: string, states: StateReader): MemberStates {
  const memberOf = (name: StateName) => (isOfMember(name) ? memberId : ALL)
  const read: MemberStates['read'] = async (sql, state) => {
    const row = await sql.first<{ value: string }>('SELECT value FROM node_state WHERE key = $1 AND member = $2', [
      state.name,
      memberOf(state.name),
    ])
    return states.value(state, row?.value ?? null)
  }
  const write: MemberStates['write'] = async (sql, state, value) => {
    await sql.run(
      `INSERT INTO node_state (key, member, value) VALUES ($1, $2, $3)
       ON CONFLICT (key, member) DO UPDATE SET value = excluded.value, written_at = now()`,
      [state.name, memberOf(state.name), state.write(value)],
    )
  }
  return {
    read,
    write,
    async readAll(sql, state) {
      const rows = await sql.rows<{ member: string; value: string }>(
        'SELECT member, value FROM node_state WHERE key = $1 ORDER BY written_at DESC, member',
        [state.name],
      )
      const own = memberOf(state.name)
      return rows.map(({ member, value }) => ({ value: states.value(state, value), isOwn: member === own }))
    },
    async agreeOn(sql, state, proposal) {
      await sql.run('INSERT INTO node_state (key, member, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
        state.name,
        memberOf(state.name),
        state.write(proposal),
      ])
      return read(sql, state)
    },
    async change(sql, state, change) {
      const value = await read(sql, state)
      const changed = change(value)
      if (changed !== value) await write(sql, state, changed)
      return changed
    },
  }
}

/** What members left that have not been there for a month. */
export async function forgetOldMembers(sql: Sql): Promise<void> {
  await sql.run("DELETE FROM node_state WHERE member <> '' AND written_at < now() - interval '30 days'")
}
