import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { bytes, count } from '../../format/amounts.ts'
import { durationWords } from '../../format/words.ts'
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
      <h2 id="article-pages">Pages of its items</h2>
      <p>
        {t.common.pages({ n: fetched })} stored, {bytes(bodyBytes)} in all; {count(waiting)} waiting, {count(failed)}{' '}
        without an article. {keepingWords(source.pageSums)}
      </p>
      {can('admin') && <SiteRules source={source} />}
    </section>
  )
}

/** Pages go with their items. */
function keepingWords({ keepForMs, keepItems }: SourceDetail['pageSums']): string {
  const limits = [
    ...(keepForMs === null ? [] : [`for ${durationWords(keepForMs)}`]),
    ...(keepItems === null ? [] : [`for the last ${t.common.items({ n: keepItems })}`]),
  ]
  return limits.length === 0 ? 'They are kept as long as their items.' : `They are kept ${limits.join(' and ')}.`
}
