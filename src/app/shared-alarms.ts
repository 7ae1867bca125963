import { SECOND_MS } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import { randomSecret } from '../runtime/random.ts'
import { repeat } from '../runtime/repeat.ts'
import type { Layer } from '../runtime/supervisor.ts'
import { jsonState, type NamedState } from '../store/node-state.ts'
import type { Store } from '../store/store.ts'
import type { OpenedData } from './data/opened-data.ts'
import { ROLE_NAMES, type RoleName } from './data/role-names.ts'
import { type AlarmBeat, AlarmWatch, type MemberAlarms } from './member-alarms.ts'
import type { RunningHealth } from './node-health.ts'

const BEAT_EVERY_MS = 5 * SECOND_MS
const GONE_AFTER_MS = 4 * BEAT_EVERY_MS
const LOOK_EVERY_MS = 2 * SECOND_MS

/** In a folder each role runs once, so that its name tells the processes apart; in a database each member has its own. */
const stateOf = (role: RoleName): NamedState<AlarmBeat | null> =>
  jsonState(`alarms-${role}`, null, (stored) => (isBeat(stored) ? stored : undefined))

export interface SharedAlarmDeps {
  readonly data: Pick<OpenedData, 'cluster'> & { readonly store: Pick<Store, 'states' | 'saveState'> }
  readonly clock: Clock
  readonly member: { readonly name: string }
  readonly roles: ReadonlySet<RoleName>
  readonly health: Pick<RunningHealth, 'raised' | 'watchOthers'>
  /** Among the roles of this process: an alarm came or went. */
  readonly wires: { readonly alarms: { tell(): void; listen(listener: () => void): void } }
}

/** Every process says what it alarms about, and an API shows the alarms of all. A whole node over its own data has no others. */
export function shareAlarms(deps: SharedAlarmDeps): readonly Layer[] {
  const { data, roles } = deps
  if (data.cluster === null && roles.size === ROLE_NAMES.length) return []
  const run = randomSecret()
  return [tellAlarms(run, deps), ...(roles.has('api') ? [watchAlarms(run, deps)] : [])]
}

function tellAlarms(run: string, { data, clock, member, roles, health, wires }: SharedAlarmDeps): Layer {
  const state = stateOf(ROLE_NAMES.find((role) => roles.has(role)) ?? 'api')
  let beat = 0
  let savedCount = 0
  let waiting = new AbortController()
  wires.alarms.listen(() => waiting.abort())
  const save = async (alarms: MemberAlarms['alarms']) => {
    if (alarms.length === 0 && savedCount === 0) return
    const entries = alarms.map(({ code, since, detail }) => ({ code, since, detail }))
    // Where nothing can be written, others do not learn of it; the next try is soon.
    const write = data.store.saveState(state, { run, beat: ++beat, name: member.name, alarms: entries })
    await write.then(
      () => {
        savedCount = alarms.length
      },
      () => {},
    )
  }
  return {
    name: 'alarms',
    healthyAfterMs: null,
    async run(signal, succeeded) {
      signal.addEventListener('abort', () => waiting.abort(), { once: true })
      while (!signal.aborted) {
        waiting = new AbortController()
        await save(health.raised.list())
        succeeded()
        if (!signal.aborted) await clock.sleep(BEAT_EVERY_MS, waiting.signal)
      }
      await save([])
    },
  }
}

function watchAlarms(run: string, { data, clock, health, wires }: SharedAlarmDeps): Layer {
  const watch = new AlarmWatch(GONE_AFTER_MS)
  let others: readonly MemberAlarms[] = []
  health.watchOthers(() => others)
  const look = async () => {
    const stored = await Promise.all(ROLE_NAMES.map((role) => data.store.states(stateOf(role))))
    const beats = stored.flat().flatMap(({ value }) => (value === null || value.run === run ? [] : [value]))
    const before = others
    others = watch.look(beats, clock.monotonicMs())
    if (codesOf(before) !== codesOf(others)) wires.alarms.tell()
  }
  return {
    name: 'alarms of others',
    healthyAfterMs: null,
    run: repeat({ clock, everyMs: LOOK_EVERY_MS, action: look, alsoAtEnd: false }),
  }
}

function codesOf(members: readonly MemberAlarms[]): string {
  return JSON.stringify(members.map(({ name, alarms }) => [name, alarms.map(({ code }) => code)]).sort())
}

function isBeat(stored: unknown): stored is AlarmBeat {
  const { run, beat, name, alarms } = Object(stored)
  return typeof run === 'string' && Number.isFinite(beat) && typeof name === 'string' && Array.isArray(alarms)
}
