import { useEffect, useState } from 'react'
import type { Overview } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useCall } from '../../client/use-call.ts'
import { percent } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { BarList } from '../../ui/bar-list.tsx'

const MOST_FOLDERS = 7

interface FolderShare {
  readonly folder: string
  readonly requests: number
  readonly usefulShare: number | null
}

/** Folder by folder: what part of the requests it took, and how many of them found something. */
export function RequestShares({ over }: { readonly over: Overview['over'] }) {
  const shares = useShares(over)
  const all = shares.reduce((sum, { requests }) => sum + requests, 0)
  if (all === 0) return null
  return (
    <section className="panel stack tight">
      <h2>{t.overview.whereRequests}</h2>
      <p className="lead">{t.overview.whereLead}</p>
      <BarList
        bars={shares.map(({ folder, requests, usefulShare }) => ({
          key: folder,
          name: folder,
          value: requests,
          label: <>{t.overview.shareNew({ share: percent(requests / all), new: percent(usefulShare) })}</>,
        }))}
      />
    </section>
  )
}

function useShares(over: Overview['over']): readonly FolderShare[] {
  const { data } = useCall('listCategories', {})
  const [shares, setShares] = useState<readonly FolderShare[]>([])
  useEffect(() => {
    let isGone = false
    const top = (data?.categories ?? [])
      .filter(({ category }) => !category.includes('/'))
      .sort((a, b) => b.sources - a.sources)
      .slice(0, MOST_FOLDERS)
    Promise.all(top.map(({ category }) => shareOf(category, over))).then(
      (found) => isGone || setShares(found.sort((a, b) => b.requests - a.requests)),
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [data, over])
  return shares
}

async function shareOf(folder: string, over: Overview['over']): Promise<FolderShare> {
  const { requests, usefulShare } = await call('qualityReport', { query: { scope: `category:${folder}`, over } })
  return { folder, requests, usefulShare }
}
