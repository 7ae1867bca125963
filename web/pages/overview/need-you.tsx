import { useState } from 'react'
import { Link } from 'wouter'
import type { Overview } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { stateWords } from '../../format/state-words.ts'
import { useSession } from '../../session/session.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { Toast } from '../../ui/toast.tsx'

type Troubled = Overview['trouble'][number]

const MOST_SHOWN = 4

const WHAT_NOW: Readonly<Partial<Record<Troubled['condition'], string>>> = {
  saturated: 'It publishes faster than the budget lets us look.',
  flooding: 'More than a usual day is shown at once; the rest waits for you.',
  retired: 'We hardly look any more. Is it elsewhere now?',
  failing: 'We go on trying, less and less often.',
}

/** Feeds in trouble, each with one thing to do; absent where there are none. */
export function NeedYou({
  sources,
  onChange,
}: {
  readonly sources: readonly Troubled[]
  readonly onChange: () => void
}) {
  const { can } = useSession()
  const [paused, setPaused] = useState<Troubled | null>(null)
  const pause = useAction(async (source: Troubled, isPaused: boolean) => {
    await call('setSource', { params: { id: source.id }, body: { paused: isPaused } })
    setPaused(isPaused ? source : null)
    onChange()
  })
  return (
    <>
      {sources.length > 0 && (
        <section className="panel stack tight need-you" id="need-you" aria-labelledby="need-you-title">
          <h2 id="need-you-title">Need you</h2>
          <ul>
            {sources.slice(0, MOST_SHOWN).map((source) => (
              <li key={source.id}>
                <Monogram name={source.name} sourceId={source.id} />
                <Words source={source} />
                {can('admin') && (
                  <button type="button" className="button little" onClick={() => pause.run(source, true)}>
                    Pause
                  </button>
                )}
              </li>
            ))}
          </ul>
          {sources.length > MOST_SHOWN && <Link href="/sources?filter=needs:me">All of them</Link>}
          <Failure error={pause.error} />
        </section>
      )}
      {paused !== null && (
        <Toast onUndo={() => pause.run(paused, false)} onEnd={() => setPaused(null)}>
          {paused.name} is paused
        </Toast>
      )}
    </>
  )
}

function Words({ source }: { readonly source: Troubled }) {
  return (
    <div>
      <Link href={`/sources/${source.id}`} className="name">
        {source.name}
      </Link>
      <p className="small">
        {stateWords(source).words}. {WHAT_NOW[source.condition]}{' '}
        <span className="muted">
          Last looked at <TimeAgo at={source.lastCheckAt} />.
        </span>
      </p>
    </div>
  )
}
