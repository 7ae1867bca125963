import { useNow } from '../format/clock.ts'
import { fullTime, relative } from '../format/words.ts'
import { t } from '../language/current.ts'

const MOVES_EVERY_MS = 1_000

export function TimeAgo({ at }: { readonly at: number | null }) {
  const now = useNow(MOVES_EVERY_MS)
  if (at === null) return <span>{t.format.never}</span>
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {relative(at, now)}
    </time>
  )
}
