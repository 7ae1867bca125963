import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lastTrace, takeInHand, traceInHand } from './last-trace.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-last-trace-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a trace that one thread hands to another', () => {
  it('is not read again as long as its file is the same', async () => {
    const path = join(folder, 'trace.csv')
    writeFileSync(path, 'source_id,timestamp\na,1700000000\n')
    const read = await lastTrace(path)
    const inHand = structuredClone((await traceInHand())!)
    expect(inHand).toMatchObject({ path, trace: read })
    takeInHand(inHand)
    expect(await lastTrace(path)).toBe(inHand.trace)
    writeFileSync(path, 'source_id,timestamp\nb,1700000000\n')
    utimesSync(path, 1_800_000_000, 1_800_000_000)
    expect((await lastTrace(path)).sources.map(({ id }) => id)).toEqual(['b'])
  })
})
