import type { Refresh } from '../../../src/api/operations/wire.ts'
import { formatDuration, fullTime } from '../../format/words.ts'
import { bytes, count, figure } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'

export function RefreshHistory({ refreshes }: { readonly refreshes: readonly Refresh[] }) {
  const useful = refreshes.filter(({ newItems }) => newItems > 0).length
  return (
    <section className="panel stack tight wide">
      <h2>{t.source.refreshes}</h2>
      {refreshes.length === 0 ? (
        <p className="muted">{t.source.noneYet}</p>
      ) : (
        <>
          <p className="small muted">{t.source.broughtNew({ useful: count(useful), all: count(refreshes.length) })}</p>
          <Strip refreshes={refreshes} />
          <details className="fold" open>
            <summary className="small">{t.source.everyOne}</summary>
            <RefreshTable refreshes={refreshes} />
          </details>
        </>
      )}
    </section>
  )
}

const BARS = 60

function Strip({ refreshes }: { readonly refreshes: readonly Refresh[] }) {
  const bars = refreshes.slice(0, BARS).toReversed()
  const most = Math.max(...bars.map(({ newItems }) => newItems), 1)
  return (
    <div className="strip" aria-hidden="true">
      {bars.map(({ at, newItems, overlap }) => (
        <span
          key={at}
          className={overlap === 'none' ? 'saturated' : newItems === 0 ? 'nothing' : ''}
          title={t.source.newAt({ time: fullTime(at), n: newItems })}
          style={{ height: `${Math.max(3, (newItems / most) * 100)}%` }}
        />
      ))}
    </div>
  )
}

function RefreshTable({ refreshes }: { readonly refreshes: readonly Refresh[] }) {
  return (
    <div className="refreshes scroll-x" tabIndex={0} role="region" aria-label={t.source.refreshesNewest}>
      <table>
        <thead>
          <tr>
            <th>{t.source.when}</th>
            <th>{t.source.why}</th>
            <th className="number">{t.source.new}</th>
            <th>{t.source.result}</th>
            <th className="number">{t.source.lost}</th>
            <th className="number">{t.source.size}</th>
            <th className="number">{t.source.took}</th>
          </tr>
        </thead>
        <tbody>
          {refreshes.map((refresh) => (
            <Line key={refresh.at} refresh={refresh} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Line({ refresh }: { readonly refresh: Refresh }) {
  const { at, decision, newItems, loss, lostAtLeast } = refresh
  return (
    <tr>
      <td>
        <TimeAgo at={at} />
      </td>
      <td>{decision ? t.source.causes[decision.cause] : '–'}</td>
      <td className="number">{count(newItems)}</td>
      <td>
        <OutcomeBadge refresh={refresh} />
      </td>
      <td className="number">
        {loss ? `≈ ${figure(loss.items)}` : lostAtLeast > 0 ? `≥ ${figure(lostAtLeast)}` : '0'}
      </td>
      <td className="number">{bytes(refresh.bytes)}</td>
      <td className="number">{formatDuration(refresh.latencyMs)}</td>
    </tr>
  )
}

function OutcomeBadge({ refresh: { overlap, newItems, notModified } }: { readonly refresh: Refresh }) {
  if (overlap === 'none') return <span className="badge bad">{t.source.saturated}</span>
  if (overlap === 'repaired') return <span className="badge warn">{t.source.repaired}</span>
  if (newItems > 0) return <span className="badge good">{t.source.useful}</span>
  return <span className="badge">{notModified ? t.source.notModified : t.source.nothingNew}</span>
}
