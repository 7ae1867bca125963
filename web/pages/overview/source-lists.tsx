import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Overview, SourceRow } from '../../../src/api/operations/wire.ts'
import { figure, plural } from '../../format/words.ts'
import { ConditionBadge } from '../../ui/condition-badge.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'

const WHY: Partial<Record<SourceRow['condition'], string>> = {
  saturated: 'New items pushed others out before we looked',
  flooding: 'It shows more new items than are stored in a day',
}

export function TroubledSources({ sources }: { readonly sources: Overview['trouble'] }) {
  return (
    <SourceList title="Sources in trouble" nothing="None: every source answers, and none lost items.">
      {sources.map((source) => (
        <Line key={source.id} source={source} beside={<ConditionBadge condition={source.condition} />}>
          {source.errorCode ?? WHY[source.condition] ?? ''}
          {' · last checked '}
          <TimeAgo at={source.lastCheckAt} />
        </Line>
      ))}
    </SourceList>
  )
}

export function WantedSources({ wanted }: { readonly wanted: Overview['wanted'] }) {
  return (
    <SourceList title="Most wanted" nothing="Query feeds and readers make a source wanted.">
      {wanted.map(({ source, importance, subscribers }) => (
        <Line key={source.id} source={source} beside={<span>{figure(importance)}</span>}>
          {plural(subscribers, 'reader')} and query feeds count on it
        </Line>
      ))}
    </SourceList>
  )
}

const REASONS: Readonly<Record<Overview['suggested'][number]['reasons'][number], string>> = {
  readers: 'the same people get both',
  queries: 'the same queries keep both',
  categories: 'same category',
}

export function SuggestedSources({ suggested }: { readonly suggested: Overview['suggested'] }) {
  return (
    <SourceList title="Others like them" nothing="Nothing to suggest yet.">
      {suggested.map(({ source, becauseOf, reasons }) => (
        <Line key={source.id} source={source} beside={<ConditionBadge condition={source.condition} />}>
          Like {becauseOf.join(', ')}: {reasons.map((reason) => REASONS[reason]).join(', ')}
        </Line>
      ))}
    </SourceList>
  )
}

interface SourceListProps {
  readonly title: string
  readonly nothing: string
  readonly children: readonly ReactNode[]
}

function SourceList({ title, nothing, children }: SourceListProps) {
  return (
    <section className="panel stack tight">
      <h2>{title}</h2>
      {children.length === 0 ? <p className="muted">{nothing}</p> : <ul className="source-list">{children}</ul>}
    </section>
  )
}

interface LineProps {
  readonly source: SourceRow
  readonly beside: ReactNode
  readonly children: ReactNode
}

function Line({ source, beside, children }: LineProps) {
  return (
    <li>
      <Link href={`/sources/${source.id}`}>{source.name}</Link>
      {beside}
      <span className="why">{children}</span>
    </li>
  )
}
