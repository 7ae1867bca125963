import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { bytes, count, figure } from '../../format/amounts.ts'
import { dayOf, formatDuration } from '../../format/words.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export function SourceFacts({ source }: { readonly source: SourceDetail }) {
  return (
    <section className="panel stack tight">
      <h2>About it</h2>
      <dl className="pairs">
        {factsOf(source).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
    </section>
  )
}

function factsOf(source: SourceDetail): readonly (readonly [string, ReactNode])[] {
  return [
    [
      'Items',
      <Link key="items" href={`/read?source=${source.id}`}>
        {count(source.items)}, read them
      </Link>,
    ],
    ['Title', source.title ?? '–'],
    ['Site', source.siteUrl ?? '–'],
    ['Format', source.format ?? '–'],
    ['Says it is about', source.feedCategories.join(', ') || '–'],
    ['Followed since', dayOf(source.addedAt)],
    ['Rate', `${figure(source.ratePerHour)} items an hour`],
    ['Weight', figure(source.weight)],
    ['Interval', intervalWords(source)],
    ['New items a day', allowanceWords(source)],
    ['Dates', source.datesCredible ? 'credible' : 'not credible, so arrival counts'],
    ...deltaWords(source),
    ...pushWords(source),
    ...hints(source),
  ]
}

function Fact({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

function intervalWords({ intervalMs, minIntervalMs, maxIntervalMs }: SourceDetail): string {
  if (intervalMs !== null) return `fixed, ${formatDuration(intervalMs)}`
  const bounds = [
    minIntervalMs === null ? null : `at least ${formatDuration(minIntervalMs)}`,
    maxIntervalMs === null ? null : `at most ${formatDuration(maxIntervalMs)}`,
  ].filter((bound) => bound !== null)
  return bounds.length === 0 ? 'as the strategy decides' : bounds.join(', ')
}

function allowanceWords({ dailyAllowance, intake }: SourceDetail): string {
  const today = `${count(intake.taken)} today${intake.refused === 0 ? '' : `, ${count(intake.refused)} refused`}`
  if (intake.allowance === null) return `all are stored; ${today}`
  return `at most ${count(intake.allowance)}${dailyAllowance === null ? ', learnt' : ''}; ${today}`
}

function deltaWords({ deltas }: SourceDetail): (readonly [string, ReactNode])[] {
  return deltas === null ? [] : [['Deltas', `${count(deltas.count)}, which spared ${bytes(deltas.savedBytes)}`]]
}

function pushWords({ push }: SourceDetail): (readonly [string, ReactNode])[] {
  if (push === null) return []
  const state = push.status === 'active' ? 'tells of news' : (push.lastError ?? 'was asked to tell of news')
  const refused = push.refused === 0 ? '' : `, ${count(push.refused)} refused`
  return [['Hub', `${push.hub} ${state}; ${count(push.pushes)} pushes${refused}`]]
}

/** What the publisher asks for. */
function hints({ hints: facts }: SourceDetail): (readonly [string, ReactNode])[] {
  if (facts === null) return [['Hints', 'none given by the publisher']]
  const words: (readonly [string, ReactNode])[] = []
  if (facts.ttlMs !== null) words.push(['Asks for (ttl)', `no more often than ${formatDuration(facts.ttlMs)}`])
  if (facts.updateIntervalMs !== null)
    words.push(['Says it updates', `every ${formatDuration(facts.updateIntervalMs)}`])
  if (facts.skipHours.length > 0) words.push(['Skip hours', facts.skipHours.join(', ')])
  if (facts.skipDays.length > 0) words.push(['Skip days', facts.skipDays.map((day) => DAYS[day] ?? day).join(', ')])
  if (facts.hubs.length > 0) words.push(['Hubs', facts.hubs.join(', ')])
  if (facts.notBefore !== null) words.push(['Not before', <TimeAgo key="not-before" at={facts.notBefore} />])
  return words.length === 0 ? [['Hints', 'none given by the publisher']] : words
}
