import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Overview, SourceRow } from '../../../src/api/operations/wire.ts'
import { rounded } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { StateLine } from '../../ui/state-line.tsx'

/** Of each list; Sources has them all. */
const MOST_SHOWN = 5

export function WantedSources({ wanted }: { readonly wanted: Overview['wanted'] }) {
  return (
    <SourceList title={t.overview.mostWanted} lead={t.overview.mostWantedLead}>
      {wanted.slice(0, MOST_SHOWN).map(({ source, importance, subscribers }) => (
        <Line
          key={source.id}
          source={source}
          beside={<span className="muted">{t.overview.countsAs({ weight: rounded(importance) })}</span>}
        >
          {t.overview.countOnIt({ n: subscribers })}
        </Line>
      ))}
    </SourceList>
  )
}

export function SuggestedSources({ suggested }: { readonly suggested: Overview['suggested'] }) {
  return (
    <SourceList title={t.overview.youMayLike} lead={t.overview.youMayLikeLead}>
      {suggested.slice(0, MOST_SHOWN).map(({ source, becauseOf, reasons }) => (
        <Line key={source.id} source={source} beside={<StateLine source={source} />}>
          {t.overview.like({
            names: becauseOf.join(', '),
            why: reasons.map((reason) => t.overview.likeness[reason]).join(', '),
          })}
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
