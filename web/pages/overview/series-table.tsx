import type { QualityPoint } from '../../../src/api/operations/wire.ts'
import { formatDuration, fullTime } from '../../format/words.ts'
import { figure, percent } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'

/** What the curves show, as figures. */
export function SeriesTable({ series }: { readonly series: readonly QualityPoint[] }) {
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label={t.overview.qualityOverTime}>
      <table>
        <thead>
          <HeadRow />
        </thead>
        <tbody>
          {series.toReversed().map((point) => (
            <PointRow key={point.from} point={point} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HeadRow() {
  return (
    <tr>
      <th>{t.overview.from}</th>
      {[
        t.overview.completeness,
        t.overview.freshness,
        t.overview.meanDelay,
        t.overview.requests,
        t.overview.items,
        t.overview.lostItems,
      ].map((name) => (
        <th key={name} className="number">
          {name}
        </th>
      ))}
    </tr>
  )
}

function PointRow({ point }: { readonly point: QualityPoint }) {
  return (
    <tr>
      <td>{fullTime(point.from)}</td>
      <td className="number">{percent(point.completeness?.value ?? null)}</td>
      <td className="number">{percent(point.freshness?.value ?? null)}</td>
      <td className="number">{formatDuration(point.delay?.meanMs ?? null)}</td>
      <td className="number">{figure(point.requests)}</td>
      <td className="number">{figure(point.items)}</td>
      <td className="number">{figure(point.lost.items)}</td>
    </tr>
  )
}
