import type { FoundFeed } from '../../../src/api/operations/wire.ts'
import { t } from '../../language/current.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'

const SHOWN_ITEMS = 5

/** The first items of what was found. */
export function ItemTitles({ items }: Pick<FoundFeed, 'items'>) {
  return (
    <ul className="small">
      {items.slice(0, SHOWN_ITEMS).map((item, i) => (
        <li key={item.link ?? item.title ?? i}>
          {item.title ?? item.link ?? t.common.noTitle}{' '}
          {item.published !== null && (
            <span className="muted">
              <TimeAgo at={item.published} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
