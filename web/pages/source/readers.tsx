import { useId, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { latestOnly } from '../../client/latest-only.ts'
import { useAction } from '../../client/use-action.ts'
import { shareInWords } from '../../format/words.ts'
import { figure, percent } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'
import { BarList } from '../../ui/bar-list.tsx'
import { Failure } from '../../ui/notice.tsx'

interface ReadersProps {
  readonly source: SourceDetail
  readonly onChange: () => void
}

/** Who counts on it, which is what the scheduler goes by. */
export function Readers({ source, onChange }: ReadersProps) {
  return (
    <section className="panel stack">
      <h2>{t.source.whoReads}</h2>
      <p className="small muted">
        {t.source.countsFor({
          weight: figure(source.importance),
          readers: t.common.readers({ n: source.subscribers }),
        })}
      </p>
      {source.readBy.length === 0 ? <p className="muted">{t.source.noQueryReads}</p> : <ReadingFeeds source={source} />}
      <Trust source={source} onChange={onChange} />
    </section>
  )
}

function ReadingFeeds({ source }: Pick<ReadersProps, 'source'>) {
  return (
    <BarList
      most={1}
      bars={source.readBy.map(({ feed, title, ...selectivity }) => ({
        key: feed,
        name: <Link href={`/queries/${encodeURIComponent(feed)}`}>{title}</Link>,
        value: selectivity.share,
        label: t.source.keeps({ share: shareInWords(selectivity) }),
      }))}
    />
  )
}

function Trust({ source, onChange }: ReadersProps) {
  const { can } = useSession()
  const id = useId()
  const [trust, setTrust] = useState(source.trust)
  const save = useSaveTrust(source.id, onChange)
  if (!can('write')) return null
  return (
    <div className="field">
      <label htmlFor={id}>{t.source.yourTrust({ share: percent(trust) })}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={1}
        step={0.1}
        value={trust}
        onChange={(event) => setTrust(Number(event.target.value))}
        onPointerUp={(event) => save.run(Number(event.currentTarget.value))}
        onKeyUp={(event) => save.run(Number(event.currentTarget.value))}
      />
      <Failure error={save.error} />
    </div>
  )
}

function useSaveTrust(id: number, onChange: () => void) {
  const save = useMemo(
    () => latestOnly((trust: number) => call('trustSource', { params: { id }, body: { trust } })),
    [id],
  )
  return useAction(async (trust: number) => {
    await save(trust)
    onChange()
  })
}
