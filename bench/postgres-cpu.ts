import { readdirSync, readFileSync } from 'node:fs'

/** Of the unit in which Linux counts the time of processes: USER_HZ, 100 on every machine that Node runs on. */
const TICK_MS = 10

interface ProcessTimes {
  readonly parent: number
  readonly ownMs: number
  /** Of its children that have ended. */
  readonly endedMs: number
}

/**
 * The process that has started all others of a server, found by a connection to this database: these show themselves as
 * `postgres: user database [local] idle`. null: it is not on this machine, or the machine is not Linux.
 */
export function findPostgresServer(database: string): number | null {
  const connection = processIds().find((pid) => {
    const name = readProcessFile(pid, 'cmdline') ?? ''
    return name.startsWith('postgres: ') && name.split(' ').includes(database)
  })
  return connection === undefined ? null : (timesOf(connection)?.parent ?? null)
}

/** Of all its processes, also of connections that have ended: a pool closes those that it does not need. */
export function serverCpuMs(server: number): number {
  const { ownMs = 0, endedMs = 0 } = timesOf(server) ?? {}
  return processIds().reduce((sum, pid) => {
    const times = timesOf(pid)
    return times?.parent === server ? sum + times.ownMs : sum
  }, ownMs + endedMs)
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** null: it has ended meanwhile. */
function readProcessFile(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return null
  }
}

function timesOf(pid: number): ProcessTimes | null {
  const stat = readProcessFile(pid, 'stat')
  if (stat === null) return null
  // Fields are counted from the name in brackets on, which may hold blanks: state, ppid, …, utime, stime, cutime, cstime.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const field = (at: number) => fields[at] ?? 0
  return { parent: field(1), ownMs: TICK_MS * (field(11) + field(12)), endedMs: TICK_MS * (field(13) + field(14)) }
}
