import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { MemberBeat } from '../cluster/lease-store.ts'
import type { RoleName } from './data/role-names.ts'
import { VERSION } from './version.ts'

/** How others on the same data know a process. Another start is another: what the one before had is not its own. */
export function newMember(roles: readonly RoleName[]): MemberBeat {
  return { id: randomUUID(), name: `${hostname()} ${process.pid}`, roles, version: VERSION }
}
