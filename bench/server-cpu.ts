import { readdirSync, readFileSync } from 'node:fs'

/** CPU time of a PostgreSQL server so far, in milliseconds. */
export interface ServerCpu {
  /** Of those that answer clients and are still there. */
  readonly backendsMs: number
  /** Of all others: those that write in the background, the first process, and those that have ended. */
  readonly backgroundMs: number
}

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10

interface Process {
  readonly pid: number
  readonly parent: number
  readonly ownMs: number
  readonly endedChildrenMs: number
}

/**
 * Finds the server that a backend belongs to; null: it is on another machine, or cannot be seen from here. `apart`: backends
 * that only measure.
 */
export function findServer(backendPid: number): { read(apart: readonly number[]): ServerCpu } | null {
  const backend = processOf(backendPid)
  if (backend === null || !isPostgres(backendPid)) return null
  return { read: (apart) => readCpu(backend.parent, apart) }
}

function readCpu(postmaster: number, apart: readonly number[]): ServerCpu {
  const first = processOf(postmaster)
  const children = pids()
    .flatMap((pid) => processOf(pid) ?? [])
    .filter(({ parent }) => parent === postmaster)
  let backendsMs = 0
  let backgroundMs = first === null ? 0 : first.ownMs + first.endedChildrenMs
  for (const { pid, ownMs } of children) {
    if (apart.includes(pid)) continue
    if (isBackend(pid)) backendsMs += ownMs
    else backgroundMs += ownMs
  }
  return { backendsMs, backgroundMs }
}

function pids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

/** Of proc(5): the name may hold spaces, so that fields are counted behind its bracket. */
function processOf(pid: number): Process | null {
  const text = textOf(`/proc/${pid}/stat`)
  if (text === null) return null
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [parent = 0] = fields.slice(1)
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11)
  return {
    pid,
    parent,
    ownMs: (user + system) * MS_PER_TICK,
    endedChildrenMs: (childUser + childSystem) * MS_PER_TICK,
  }
}

function isPostgres(pid: number): boolean {
  return textOf(`/proc/${pid}/comm`)?.trim() === 'postgres'
}

const BACKGROUND =
  /^postgres: (?:[^ ]+: )?(?:checkpointer|background writer|walwriter|autovacuum|logical replication|archiver|logger|io worker|startup|walsender|stats)/

function isBackend(pid: number): boolean {
  const line = textOf(`/proc/${pid}/cmdline`)?.replaceAll('\u0000', ' ') ?? ''
  return line.startsWith('postgres: ') && !BACKGROUND.test(line)
}

/** null: it is gone, or none of ours. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
