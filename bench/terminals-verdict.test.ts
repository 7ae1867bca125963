import { describe, expect, it } from 'vitest'
import { judge, type Measured, type RoundFigures } from './terminals-verdict.ts'

const SERIAL: RoundFigures = {
  wallMs: 100_000,
  controllerCpuMs: 3_000,
  terminalsCpuMs: 2_000,
  databaseCpuMs: null,
  worldCpuMs: 1_000,
  handedBytes: 20_000_000,
  lookUps: 15_860,
  records: 793,
}
const DISTRIBUTED = { ...SERIAL, wallMs: 8_000 }
const CHECKED = { ...SERIAL, wallMs: 5_000, controllerCpuMs: 500, handedBytes: 90_000, lookUps: 12 }
const ALL = { published: 15_900, lost: 0, doubled: 0 }
const AS_PRINTED: Measured = {
  feeds: 793,
  terminals: 8,
  forms: { serial: SERIAL, distributed: DISTRIBUTED, checked: CHECKED },
  stored: { serial: ALL, distributed: ALL, checked: ALL },
}

function failedWith(forms: Partial<Measured['forms']>, stored: Partial<Measured['stored']> = {}): readonly string[] {
  const measured = {
    ...AS_PRINTED,
    forms: { ...AS_PRINTED.forms, ...forms },
    stored: { ...AS_PRINTED.stored, ...stored },
  }
  const { claims, holds } = judge(measured)
  const failed = claims.flatMap((claim) => (claim.holds ? [] : [claim.text]))
  expect(holds).toBe(failed.length === 0)
  return failed
}

describe('the verdict about Figure 3', () => {
  it('holds where the bars are as printed', () => {
    expect(failedWith({})).toEqual([])
  })

  it.each<[string, Partial<Measured['forms']>, RegExp]>([
    ['terminals that do not help', { distributed: { ...DISTRIBUTED, wallMs: 26_000 } }, /^Terminals make/],
    ['checks that take longer', { checked: { ...CHECKED, wallMs: 8_100 } }, /^The checks make it shorter/],
    ['checks that cost more', { checked: { ...CHECKED, terminalsCpuMs: 4_600 } }, /^The checks cost less/],
    ['checks that cost the database more', { checked: { ...CHECKED, databaseCpuMs: 9_000 } }, /^The checks cost less/],
    ['look-ups all the same', { checked: { ...CHECKED, lookUps: 1_600 } }, /look-ups/],
    ['everything handed over all the same', { checked: { ...CHECKED, handedBytes: 2_100_000 } }, /bytes/],
    [
      'rounds that are too long',
      {
        serial: { ...SERIAL, wallMs: 300_000 },
        distributed: { ...DISTRIBUTED, wallMs: 12_000 },
        checked: { ...CHECKED, wallMs: 10_100 },
      },
      /10 s/,
    ],
    ['a clock that runs backwards', { checked: { ...CHECKED, databaseCpuMs: -9_000 } }, /^The checks cost less/],
    ['nothing measured', { checked: { ...CHECKED, lookUps: Number.NaN } }, /look-ups/],
  ])('fails with %s, and for no other reason', (_name, forms, claim) => {
    const failed = failedWith(forms)
    expect(failed).toHaveLength(1)
    expect(failed[0]).toMatch(claim)
  })

  it.each(['serial', 'distributed', 'checked'] as const)('fails where %s loses or doubles an item', (form) => {
    expect(failedWith({}, { [form]: { ...ALL, lost: 1 } })).toEqual([`${form}: everything is stored, once`])
    expect(failedWith({}, { [form]: { ...ALL, doubled: 1 } })).toEqual([`${form}: everything is stored, once`])
  })
})
