import fc from 'fast-check'
import { beforeEach } from 'vitest'
import { failureNotes } from './support/failure-notes.ts'

// The same cases every time, so that a failure is a failure of the change at hand; FC_SEED=… looks at others.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_116) })

beforeEach(({ onTestFailed }) => {
  onTestFailed(async () => {
    const notes = await failureNotes()
    if (notes !== '') console.error(notes)
  })
})
