import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extent } from '../support/extent.ts'
import { Numbering } from './numbering.ts'
import { type Adapter, STORE_ADAPTERS } from './store.fixture.ts'
import { type Action, anAction, answerOf, everything, feedActions, type Side, withArchive } from './store-actions.ts'

const [model, ...others] = STORE_ADAPTERS

/** What was done so far is noted on both, so that they can be asked what changed since. */
async function noted(side: Side): Promise<number> {
  return (await side.store.scheduleChanges(0)).revision
}

/** The same to both, and each time the same answer; in the end all that can be seen of them. */
async function compare(adapter: Adapter, actions: readonly Action[], restartAt: number): Promise<void> {
  const expected: Side = { ...(await model.open({ bufferCapacity: 4 })), numbers: new Numbering() }
  const opening = await adapter.open({ bufferCapacity: 4 })
  let present: Side = { ...opening, numbers: new Numbering() }
  let since: readonly [number, number] = [0, 0]
  try {
    for (const [at, apply] of actions.entries()) {
      if (at === restartAt) {
        await present.store.close()
        present = { ...(await opening.again()), numbers: present.numbers }
        since = [await noted(expected), await noted(present)]
      }
      const answer = expected.numbers.placed(await answerOf(() => apply(expected)))
      expect(present.numbers.placed(await answerOf(() => apply(present)))).toEqual(answer)
    }
    const all = expected.numbers.placed(await everything(expected, since[0]))
    expect(present.numbers.placed(await everything(present, since[1]))).toEqual(all)
  } finally {
    await opening.end()
  }
}

describe.each(others)('$name store and memory store', (adapter) => {
  const isSkipped = adapter.skipReason !== undefined

  it.skipIf(isSkipped)('answer alike whatever is done to them, also over a restart', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anAction, { maxLength: 30 }), fc.nat(30), (actions, restartAt) =>
        compare(adapter, actions, restartAt),
      ),
      { numRuns: extent(30, 60) },
    )
  })

  it.skipIf(isSkipped)('answer alike about query feeds over an archive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(...feedActions), { minLength: 5, maxLength: 15 }), (actions) =>
        compare(adapter, [withArchive, ...actions], -1),
      ),
      { numRuns: extent(40, 80) },
    )
  })
})
