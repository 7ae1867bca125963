import type { HostLimits } from '../../src/crawler/politeness/host-limits.ts'
import type { DurationMs, InstantMs } from '../../src/model/index.ts'

/** How a host got requests, by the clock that decided it: when requests arrive says as much about the machine as about us. */
export interface HostAdmissions {
  readonly at: InstantMs[]
  inFlight: number
  maxConcurrent: number
}

export type Admissions = Map<string, HostAdmissions>

/** Notes every admission of these limits; the limits stay as they are otherwise. */
export function noteAdmissions<L extends Pick<HostLimits, 'admit' | 'leave'>>(limits: L, into: Admissions): L {
  const admit = limits.admit.bind(limits)
  const leave = limits.leave.bind(limits)
  limits.admit = (host, now, kind) => {
    const admission = admit(host, now, kind)
    if (admission.go) noteStart(into, host, now)
    return admission
  }
  limits.leave = (host, now) => {
    leave(host, now)
    const admissions = into.get(host)
    if (admissions !== undefined) admissions.inFlight--
  }
  return limits
}

function noteStart(into: Admissions, host: string, now: InstantMs): void {
  const admissions = into.get(host) ?? { at: [], inFlight: 0, maxConcurrent: 0 }
  into.set(host, admissions)
  admissions.at.push(now)
  admissions.inFlight++
  admissions.maxConcurrent = Math.max(admissions.maxConcurrent, admissions.inFlight)
}

/** Infinity: it got one request at most. */
export function smallestGapMs({ at }: Pick<HostAdmissions, 'at'>): DurationMs {
  return Math.min(...at.slice(1).map((moment, i) => moment - at[i]!))
}

/** For `node --import`: a node process writes its admissions as JSON to this file when it ends politely. */
export function recordAdmissions(file: string): readonly string[] {
  const politeness = new URL('../../dist/src/crawler/politeness/politeness.js', import.meta.url)
  const source = `
    import { writeFileSync } from 'node:fs'
    import { createPoliteness } from ${JSON.stringify(politeness.href)}
    const made = Object.getPrototypeOf(createPoliteness({ host: { spacingMs: 0, concurrency: 1 } }))
    const { admit, leave } = made
    const hosts = {}
    made.admit = function (host, now, kind) {
      const admission = admit.call(this, host, now, kind)
      if (admission.go) {
        const noted = (hosts[host] ??= { at: [], inFlight: 0, maxConcurrent: 0 })
        noted.at.push(now)
        noted.maxConcurrent = Math.max(noted.maxConcurrent, ++noted.inFlight)
      }
      return admission
    }
    made.leave = function (host, now) {
      leave.call(this, host, now)
      if (hosts[host] !== undefined) hosts[host].inFlight--
    }
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, JSON.stringify(hosts)))
  `
  return ['--import', `data:text/javascript,${encodeURIComponent(source)}`]
}
