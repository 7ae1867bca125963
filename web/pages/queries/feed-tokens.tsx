import { useState } from 'react'
import type { QueryFeedDetail } from '../../../src/api/operations/wire.ts'
import { call, type OperationAnswer } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { now } from '../../format/clock.ts'
import { dateOf } from '../../format/words.ts'
import { t } from '../../language/current.ts'
import { FeedAddresses } from '../../ui/feed-addresses.tsx'
import { Failure } from '../../ui/notice.tsx'

interface FeedTokensProps {
  readonly feed: QueryFeedDetail
  readonly onChange: () => void
}

/** A private feed is opened to one reader by an address with a secret in it. */
export function FeedTokens({ feed, onChange }: FeedTokensProps) {
  const [token, setMade] = useState<OperationAnswer<'addFeedToken'> | null>(null)
  const add = useAction(async () => {
    setMade(await call('addFeedToken', { params: { name: feed.name }, body: {} }))
    onChange()
  })
  const remove = useAction(async (id: number) => {
    await call('removeFeedToken', { params: { name: feed.name, id } })
    onChange()
  })
  return (
    <div className="stack tight">
      <h3>{t.queries.tokens}</h3>
      <TokenList tokens={feed.tokens} onRemove={remove.run} />
      <Failure error={add.error ?? remove.error} />
      {token !== null && <NewAddresses token={token} />}
      <div>
        <button type="button" className="button little" disabled={add.isRunning} onClick={() => add.run()}>
          {t.queries.newToken}
        </button>
      </div>
    </div>
  )
}

interface TokenListProps {
  readonly tokens: QueryFeedDetail['tokens']
  readonly onRemove: (id: number) => void
}

function TokenList({ tokens, onRemove }: TokenListProps) {
  return (
    <ul>
      {tokens.map(({ id, label, createdAt }) => (
        <li key={id} className="row apart">
          <span>{t.queries.tokenOf({ label: label ?? t.queries.token({ id }), date: dateOf(createdAt, now()) })}</span>
          <button type="button" className="button little danger" onClick={() => onRemove(id)}>
            {t.queries.takeBack}
          </button>
        </li>
      ))}
    </ul>
  )
}

function NewAddresses({ token }: { readonly token: OperationAnswer<'addFeedToken'> }) {
  return (
    <div className="notice stack tight" role="status">
      <strong>{t.queries.shownOnce}</strong>
      <FeedAddresses urls={token.urls} />
    </div>
  )
}
