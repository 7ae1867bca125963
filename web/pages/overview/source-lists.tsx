import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Overview, SourceRow } from '../../../src/api/operations/wire.ts'
import { figure, plural } from '../../format/words.ts'
import { StateLine } from '../../ui/state-line.tsx'

export function WantedSources({ wanted }: { readonly wanted: Overview['wanted'] }) {
  return (
    <SourceList
      title="Most wanted"
      lead="What query feeds and readers count on; the figure is what the scheduler counts it for."
    >
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
    <SourceList title="You may like" lead="Feeds of this node like those you read.">
      {suggested.map(({ source, becauseOf, reasons }) => (
        <Line key={source.id} source={source} beside={<StateLine source={source} />}>
          Like {becauseOf.join(', ')}: {reasons.map((reason) => REASONS[reason]).join(', ')}
        </Line>
      ))}
    </SourceList>
  )
}

interface SourceListProps {
  readonly title: string
  readonly lead: string
  readonly children: readonly ReactNode[]
}

function SourceList({ title, lead, children }: SourceListProps) {
  if (children.length === 0) return null
  return (
    <section className="panel stack tight">
      <h2>{title}</h2>
      <p className="lead">{lead}</p>
      <ul className="source-list">{children}</ul>
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
