import type { Overview } from '../../../src/api/operations/wire.ts'
import { count, durationWords } from '../../format/words.ts'
import { BarList } from '../../ui/bar-list.tsx'

type Figures = NonNullable<Overview['besidePolling']>['own']

/** What the same requests would have got at fixed intervals, simulated on what the feeds published; absent where nobody did. */
export function BesidePolling({ comparison }: { readonly comparison: Overview['besidePolling'] }) {
  if (comparison === null) return null
  const { requests, everyMs, own, polling, from, to } = comparison
  const bar = (key: string, name: string, { meanDelayMs, lost }: Figures) => ({
    key,
    name,
    value: meanDelayMs,
    label: (
      <>
        <strong>{durationWords(meanDelayMs)}</strong> late, {lossWords(lost)}
      </>
    ),
  })
  return (
    <section className="panel stack tight">
      <h2>Beside polling at fixed intervals</h2>
      <p className="lead">
        The same {count(requests)} requests over {durationWords(to - from)} on the same publications, beside polling
        each feed every {durationWords(everyMs)} (simulated).
      </p>
      <BarList bars={[bar('own', 'This node', own), bar('polling', 'Polling', polling)]} />
    </section>
  )
}

function lossWords(lost: number): string {
  return lost < 1 ? 'none lost' : `${count(lost)} lost`
}
