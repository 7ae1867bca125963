import { useState } from 'react'
import { Link } from 'wouter'
import type { Overview } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { stateWords } from '../../format/state-words.ts'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { Toast } from '../../ui/toast.tsx'

type Troubled = Overview['trouble'][number]

const MOST_SHOWN = 4

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
          <h2 id="need-you-title">{t.overview.needYou}</h2>
          <ul>
            {sources.slice(0, MOST_SHOWN).map((source) => (
              <li key={source.id}>
                <Monogram name={source.name} sourceId={source.id} />
                <Words source={source} />
                {can('admin') && (
                  <button type="button" className="button little" onClick={() => pause.run(source, true)}>
                    {t.overview.pause}
                  </button>
                )}
              </li>
            ))}
          </ul>
          {sources.length > MOST_SHOWN && <Link href="/sources?filter=needs:me">{t.overview.allOfThem}</Link>}
          <Failure error={pause.error} />
        </section>
      )}
      {paused !== null && (
        <Toast onUndo={() => pause.run(paused, false)} onEnd={() => setPaused(null)}>
          {t.overview.isPaused({ name: paused.name })}
        </Toast>
      )}
    </>
  )
}

function whatNow(condition: Troubled['condition']): string {
  const words: Readonly<Partial<Record<Troubled['condition'], string>>> = t.overview.whatNow
  return words[condition] ?? ''
}

function Words({ source }: { readonly source: Troubled }) {
  return (
    <div>
      <Link href={`/sources/${source.id}`} className="name">
        {source.name}
      </Link>
      <p className="small">
        {stateWords(source).words}. {whatNow(source.condition)}{' '}
        <span className="muted">{t.overview.lastLooked({ when: <TimeAgo at={source.lastCheckAt} /> })}</span>
      </p>
    </div>
  )
}
