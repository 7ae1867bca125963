import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { now } from '../../format/clock.ts'
import { dateOf, formatDuration, weekdayNames } from '../../format/words.ts'
import { bytes, count, figure } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'

interface SourceFactsProps {
  readonly source: SourceDetail
  /** How its publications are described; null: by nothing yet. */
  readonly modelForm: string | null
}

/** The mechanics; the closed line says what is inside. */
export function SourceFacts({ source, modelForm }: SourceFactsProps) {
  const format = source.format ?? t.source.noFormat
  return (
    <details className="panel fold wide">
      <summary>
        <h2>{t.source.howFetched}</h2>
        <span className="small muted">
          {t.source.fetchedWords({ format, interval: intervalWords(source), weight: figure(source.weight) })}
        </span>
      </summary>
      <dl className="pairs">
        {factsOf(source).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
        <Fact name={t.source.modelName} value={modelForm ?? t.source.noModel} />
      </dl>
    </details>
  )
}

function factsOf(source: SourceDetail): readonly (readonly [string, ReactNode])[] {
  return [
    [
      t.source.items,
      <Link key="items" href={`/read?source=${source.id}`}>
        {t.source.readThem({ items: count(source.items) })}
      </Link>,
    ],
    [t.source.title, source.title ?? '–'],
    [t.source.site, source.siteUrl === null ? '–' : <Address key="site" text={source.siteUrl} />],
    [t.source.format, source.format ?? '–'],
    [t.source.saysAbout, source.feedCategories.join(', ') || '–'],
    [t.source.followedSince, dateOf(source.addedAt, now())],
    [t.source.rate, source.ratePerHour === null ? '–' : t.source.rateWords({ rate: source.ratePerHour })],
    [t.source.weight, figure(source.weight)],
    [t.source.interval, intervalWords(source)],
    [t.source.newADay, allowanceWords(source)],
    [t.source.dates, source.datesCredible ? t.source.credible : t.source.notCredible],
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

/** What may break anywhere, as it is longer than a line. */
function Address({ text }: { readonly text: string }) {
  return <span className="any-break">{text}</span>
}

function intervalWords({ intervalMs, minIntervalMs, maxIntervalMs }: SourceDetail): string {
  if (intervalMs !== null) return t.source.fixed({ time: formatDuration(intervalMs) })
  const bounds = [
    minIntervalMs === null ? null : t.source.atLeast({ time: formatDuration(minIntervalMs) }),
    maxIntervalMs === null ? null : t.source.atMost({ time: formatDuration(maxIntervalMs) }),
  ].filter((bound) => bound !== null)
  return bounds.length === 0 ? t.source.asStrategy : bounds.join(', ')
}

function allowanceWords({ dailyAllowance, intake }: SourceDetail): string {
  const today = t.source.today({
    taken: count(intake.taken),
    refused: intake.refused === 0 ? '' : t.source.refused({ n: count(intake.refused) }),
  })
  if (intake.allowance === null) return t.source.allStored({ today })
  return t.source.atMostStored({
    most: count(intake.allowance),
    learnt: dailyAllowance === null ? t.source.learntMost : '',
    today,
  })
}

function deltaWords({ deltas }: SourceDetail): (readonly [string, ReactNode])[] {
  return deltas === null
    ? []
    : [[t.source.deltas, t.source.spared({ n: count(deltas.count), size: bytes(deltas.savedBytes) })]]
}

function pushWords({ push }: SourceDetail): (readonly [string, ReactNode])[] {
  if (push === null) return []
  const state = push.status === 'active' ? t.source.tellsNews : (push.lastError ?? t.source.wasAsked)
  const refused = push.refused === 0 ? '' : t.source.refused({ n: count(push.refused) })
  const words = t.source.hubWords({ hub: push.hub, state, pushes: count(push.pushes), refused })
  return [[t.source.hub, <Address key="hub" text={words} />]]
}

/** What the publisher asks for. */
function hints({ hints: facts }: SourceDetail): (readonly [string, ReactNode])[] {
  if (facts === null) return [[t.source.hints, t.source.noHints]]
  const words: (readonly [string, ReactNode])[] = []
  if (facts.ttlMs !== null) words.push([t.source.asksFor, t.source.noMoreOften({ time: formatDuration(facts.ttlMs) })])
  if (facts.updateIntervalMs !== null)
    words.push([t.source.saysUpdates, t.source.every({ time: formatDuration(facts.updateIntervalMs) })])
  if (facts.skipHours.length > 0) words.push([t.source.skipHours, facts.skipHours.join(', ')])
  if (facts.skipDays.length > 0)
    words.push([t.source.skipDays, facts.skipDays.map((day) => weekdayNames('long')[day] ?? day).join(', ')])
  if (facts.hubs.length > 0) words.push([t.source.hubs, <Address key="hubs" text={facts.hubs.join(', ')} />])
  if (facts.notBefore !== null) words.push([t.source.notBefore, <TimeAgo key="not-before" at={facts.notBefore} />])
  return words.length === 0 ? [[t.source.hints, t.source.noHints]] : words
}
