import type { Refresh } from '../../../src/api/operations/wire.ts'
import { bytes, count, figure } from '../../format/amounts.ts'
import { formatDuration, fullTime } from '../../format/words.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'

const CAUSES: Readonly<Record<NonNullable<Refresh['decision']>['cause'], string>> = {
  new: 'new source',
  asked: 'asked for',
  full: 'window nearly full',
  worth: 'worth its price',
  time: 'longest interval over',
  signal: 'others like it have news',
  learning: 'to learn its rate',
  push: 'its hub told of news',
  spare: 'budget to spare',
}

export function RefreshHistory({ refreshes }: { readonly refreshes: readonly Refresh[] }) {
  const useful = refreshes.filter(({ newItems }) => newItems > 0).length
  return (
    <section className="panel stack tight wide">
      <h2>Refreshes</h2>
      {refreshes.length === 0 ? (
        <p className="muted">None yet.</p>
      ) : (
        <>
          <p className="small muted">
            {count(useful)} of the last {count(refreshes.length)} brought something new; red ones found nothing they
            knew, so items were lost between.
          </p>
          <Strip refreshes={refreshes} />
          <RefreshTable refreshes={refreshes} />
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
          title={`${fullTime(at)}: ${newItems} new`}
          style={{ height: `${Math.max(3, (newItems / most) * 100)}%` }}
        />
      ))}
    </div>
  )
}

function RefreshTable({ refreshes }: { readonly refreshes: readonly Refresh[] }) {
  return (
    <div className="refreshes scroll-x" tabIndex={0} role="region" aria-label="Refreshes, newest first">
      <table>
        <thead>
          <tr>
            <th>When</th>
            <th>Why</th>
            <th className="number">New</th>
            <th>Result</th>
            <th className="number">Lost</th>
            <th className="number">Size</th>
            <th className="number">Took</th>
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
      <td>{decision ? CAUSES[decision.cause] : '–'}</td>
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
  if (overlap === 'none') return <span className="badge bad">saturated</span>
  if (overlap === 'repaired') return <span className="badge warn">repaired from older pages</span>
  if (newItems > 0) return <span className="badge good">useful</span>
  return <span className="badge">{notModified ? 'not modified' : 'nothing new'}</span>
}
