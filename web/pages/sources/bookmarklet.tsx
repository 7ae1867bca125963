import { BASE } from '../../client/base.ts'
import { t } from '../../language/current.ts'

/** A link to drag among the bookmarks: hands the page that is open to this node. */
export function Bookmarklet() {
  const there = JSON.stringify(`${location.origin}${BASE}/sources?add=`)
  const script = `javascript:location.href=${there}+encodeURIComponent(location.href)`
  return (
    <p className="small muted">
      {t.sources.bookmarklet({
        link: (
          <a
            href={`${BASE}/sources`}
            ref={(link) => {
              // React refuses such addresses; this one is our own, and no page of others can change it.
              link?.setAttribute('href', script)
            }}
          >
            {t.sources.addToHeadwater}
          </a>
        ),
      })}
    </p>
  )
}
