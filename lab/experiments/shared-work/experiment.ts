import { DAY_MS } from '../../../src/model/index.ts'
import type { Experiment, PaperClaim } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG } from './config.ts'
import { drawMembership, measureApart, measureShared, type SourcesOfMembers, type WorkRow } from './measure.ts'

export const experiment: Experiment = {
  id: 'shared-work',
  title:
    'Nodes that share the polling of common sources: requests to origins, delay, and a member that is silent or lies',
  paper: 'thesis, Perspectives: collaborating nodes',
  defaultSeeds: 1,
  async run({ seeds, signal, progress }) {
    const runs: (readonly WorkRow[])[] = []
    for (let seed = 1; seed <= seeds; seed++) {
      signal?.throwIfAborted()
      await Promise.resolve()
      runs.push(rowsOf(seed))
      progress?.(seed / seeds)
    }
    const rows = meanRows(runs)
    return { tables: [tableOf(rows)], series: [], claims: claimsOf(rows) }
  },
}

const SHARED = 'shared'
const EQUAL = 'shared, with as many requests'
const SILENT = 'shared, one falls silent'
const LYING = 'shared, one lies'

function rowsOf(seed: number): readonly WorkRow[] {
  const membership = drawMembership(seed)
  const alone = measureApart(membership, seed)
  const shared = measureShared(SHARED, membership, seed, {})
  const perDay = (CONFIG.perDay * alone.requests) / shared.requests
  return [
    alone,
    shared,
    measureShared(EQUAL, membership, seed, { perDay }),
    measureShared(SILENT, membership, seed, { kind: 'silent' }),
    ...meanRows(lies(membership, seed).map((row) => [row])),
  ]
}

/** Begun at moments over a day, with other polls that are checked. */
function lies(membership: SourcesOfMembers, seed: number): readonly WorkRow[] {
  return Array.from({ length: CONFIG.lies }, (_, index) => {
    const faultAfterMs = CONFIG.faultAfterMs + (index * DAY_MS) / CONFIG.lies
    return measureShared(LYING, membership, seed + index, { kind: 'lying', faultAfterMs })
  })
}

const FIGURES = ['requests', 'delayMinutes', 'lateMinutes', 'lost', 'checks'] as const

/** The longest of several runs, of all else the mean. */
function meanRows(runs: readonly (readonly WorkRow[])[]): readonly WorkRow[] {
  const [first = []] = runs
  return first.map((row, index) => {
    const same = runs.flatMap((rows) => rows[index] ?? [])
    const mean = (key: (typeof FIGURES)[number]) => meanOf(same.map((one) => one[key]))
    const noticed = same.flatMap(({ noticedHours }) => noticedHours ?? [])
    const longest = same.flatMap(({ longestNoticedHours }) => longestNoticedHours ?? [])
    return {
      ...row,
      ...Object.fromEntries(FIGURES.map((key) => [key, mean(key)])),
      longestLateHours: Math.max(...same.map((one) => one.longestLateHours)),
      noticedHours: noticed.length === 0 ? null : meanOf(noticed),
      longestNoticedHours: longest.length === 0 ? null : Math.max(...longest),
    }
  })
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length
}

const WORK_COLUMNS = [
  'nodes',
  'requests to origins',
  'ratio',
  'delay, min',
  'common, second half, min',
  'longest there, h',
  'lost',
  'checks',
  'noticed after, h',
  'at most',
]

function tableOf(rows: readonly WorkRow[]) {
  const [alone] = rows
  return {
    title: `${CONFIG.members} nodes, ${CONFIG.sourcesEach} sources each, ${100 * CONFIG.commonShare} % in common, ${CONFIG.perDay} requests a source and day`,
    columns: WORK_COLUMNS,
    rows: rows.map((row) => [
      row.name,
      Math.round(row.requests),
      roundToDigits(row.requests / (alone?.requests ?? 1)),
      roundToDigits(row.delayMinutes, 2),
      roundToDigits(row.lateMinutes, 2),
      roundToDigits(row.longestLateHours, 1),
      row.lost,
      Math.round(row.checks),
      row.noticedHours === null ? '–' : roundToDigits(row.noticedHours, 2),
      row.longestNoticedHours === null ? '–' : roundToDigits(row.longestNoticedHours, 2),
    ]),
  }
}

function claimsOf(rows: readonly WorkRow[]): PaperClaim[] {
  const named = (name: string) => {
    const found = rows.find((row) => row.name === name)
    if (found === undefined) throw new Error(`no row ${name}`)
    return found
  }
  const [alone, shared, equal] = [named('five alone'), named(SHARED), named(EQUAL)]
  const faulty = [named(SILENT), named(LYING)]
  const requests = roundToDigits(shared.requests / alone.requests)
  const delay = roundToDigits(shared.delayMinutes / alone.delayMinutes)
  return [
    {
      text: `Requests to origins are at most ${CONFIG.mostRequests} of those of five nodes alone (${CONFIG.leastRequests} without spot checks), at no more delay`,
      holds: requests <= CONFIG.mostRequests && delay <= CONFIG.mostDelay,
      figures: { requests, delay },
    },
    {
      text: 'With as many requests as alone, delay falls',
      holds: equal.delayMinutes < 0.75 * alone.delayMinutes,
      figures: { delay: roundToDigits(equal.delayMinutes / alone.delayMinutes) },
    },
    {
      text: 'One member silent or lying: no item is lost for it, it is noticed and what was kept back comes within a day',
      holds: faulty.every(
        ({ lost, longestLateHours, longestNoticedHours }) =>
          lost <= shared.lost && longestLateHours < 24 && (longestNoticedHours ?? 24) < 24,
      ),
      figures: Object.fromEntries(
        [shared, ...faulty].flatMap(({ name, longestLateHours, lateMinutes }) => [
          [`${name}: longest, h`, roundToDigits(longestLateHours, 1)],
          [`${name}: mean, min`, roundToDigits(lateMinutes, 1)],
        ]),
      ),
    },
  ]
}
