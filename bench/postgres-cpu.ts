import { readdirSync, readFileSync } from 'node:fs'

/** Of the unit in which Linux counts the time of processes: USER_HZ, 100 on every machine that Node runs on. */
const TICK_MS = 10

/**
 * CPU time of the connections of a database, where its server runs on this machine and shows its processes by their names, as
 * `postgres: user database [local] idle`; null elsewhere. A connection that has ended takes its time with it.
 */
export function postgresCpuMs(database: string): number | null {
  const times = processIds().flatMap((pid) => cpuMsOf(pid, database) ?? [])
  return times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0)
}

function processIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function cpuMsOf(pid: string, database: string): number | null {
  try {
    const name = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    if (!name.startsWith('postgres: ') || !name.split(' ').includes(database)) return null
    // The second field is a name in brackets, which may hold blanks; utime and stime are the 14th and the 15th.
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) /)
    const fields = rest.split(' ').map(Number)
    return TICK_MS * ((fields[11] ?? 0) + (fields[12] ?? 0))
  } catch {
    // It has ended meanwhile.
    return null
  }
}
