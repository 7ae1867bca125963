import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { Failure, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { FeedActions } from './feed-actions.tsx'
import { FeedDetails } from './feed-details.tsx'
import { FeedFigures } from './feed-figures.tsx'
import { feedNameFrom } from './form/query-text.ts'
import './queries.css'
import { QueryWorkbench } from './query-workbench.tsx'

/** All there is, until words say what to keep: the preview shows something from the start. */
function template(): string {
  const title = t.queries.newFeedTitle
  return `CREATE FEED ${feedNameFrom(title)} TITLE "${title}" AS\nRETURN ALL;\n`
}

const WHILE_FILLING_MS = 2_000

/** One query feed; `name` null: a new one. */
export default function QueryPage({ name }: { readonly name: string | null }) {
  return name === null ? (
    <Page title={t.queries.newQueryFeed}>
      <QueryWorkbench
        text={new URLSearchParams(location.search).get('text') ?? template()}
        isNew={true}
        canSave={true}
        onSaved={() => {}}
      />
    </Page>
  ) : (
    <ExistingFeed name={name} />
  )
}

function ExistingFeed({ name }: { readonly name: string }) {
  const feed = useCall('showQueryFeed', { params: { name } }, { everyMs: WHILE_FILLING_MS })
  return (
    <Page
      title={feed.data?.title ?? name}
      actions={feed.data !== null && <FeedActions feed={feed.data} onChange={feed.reload} />}
    >
      <Failure error={feed.error} />
      {feed.data === null && feed.error === null && <Loading what={t.queries.theQueryFeed} />}
      {feed.data !== null && (
        <>
          <FeedFigures feed={feed.data} />
          <QueryWorkbench
            key={feed.data.alteredAt}
            text={feed.data.text}
            isNew={false}
            canSave={feed.data.isMine}
            onSaved={feed.reload}
          />
          <FeedDetails feed={feed.data} onChange={feed.reload} />
        </>
      )}
    </Page>
  )
}
