import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { durationWords } from '../../format/words.ts'
import { bytes, count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'
import { SiteRules } from './site-rules.tsx'

/** What is stored of the pages of its items, for how long, and how they are read. */
export function ArticlePages({ source }: { readonly source: SourceDetail }) {
  const { can } = useSession()
  const { waiting, fetched, failed, bodyBytes } = source.pageSums
  if (source.pages === 'off' && waiting + fetched + failed === 0) return null
  return (
    <section className="panel stack wide" aria-labelledby="article-pages">
      <h2 id="article-pages">{t.source.pagesOfItems}</h2>
      <p>
        {t.source.pagesStored({
          pages: t.common.pages({ n: fetched }),
          size: bytes(bodyBytes),
          waiting: count(waiting),
          failed: count(failed),
          keeping: keepingWords(source.pageSums),
        })}
      </p>
      {can('admin') && <SiteRules source={source} />}
    </section>
  )
}

/** Pages go with their items. */
function keepingWords({ keepForMs, keepItems }: SourceDetail['pageSums']): string {
  const limits = [
    ...(keepForMs === null ? [] : [t.source.keptFor({ time: durationWords(keepForMs) })]),
    ...(keepItems === null ? [] : [t.source.keptForLast({ items: t.common.items({ n: keepItems }) })]),
  ]
  return limits.length === 0 ? t.source.keptAsItems : t.source.areKept({ limits: limits.join(t.source.and) })
}
