import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CORPORA } from './corpora.ts'
import { CORPORA_FOLDER, SLOWEST_ALLOWED_MS } from './corpus.ts'

describe.skipIf(!existsSync(CORPORA_FOLDER))('corpora (skipped where ../shared/corpora is missing)', () => {
  it.each(CORPORA)('$name: no crash, no hang, and as much as it must', (corpus) => {
    const result = corpus.run()
    expect(result.documents).toBeGreaterThan(0)
    expect(result.crashed).toEqual([])
    expect(result.slowestMs, result.slowestFile).toBeLessThan(SLOWEST_ALLOWED_MS)
    for (const { name, passed, total, required, failures } of result.tallies) {
      if (required === null) continue
      expect(total, name).toBeGreaterThan(0)
      expect(passed / total, `${name}: ${failures.slice(0, 10).join('\n')}`).toBeGreaterThanOrEqual(required)
    }
  })
})
