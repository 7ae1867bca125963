import { describe, expect, it } from 'vitest'
import { draftOf, partsOf, type Setting, settingValue, wishDraft, wishParts } from './setting-draft.ts'

const of = (kind: Setting['form']['kind'], value: unknown, stored?: unknown) => ({
  form: { group: 'node' as const, title: '', kind, unit: null, choices: null },
  value,
  ...(stored === undefined ? {} : { stored }),
})

describe('settings while they are edited', () => {
  it.each([
    ['duration', 300_000, '5min', '5min'],
    ['duration', 90_000, '90s', '90s'],
    ['duration', 604_800_000, '7d', '7d'],
    ['duration', 0, '0ms', '0ms'],
    ['bytes', 15 * 1024 ** 2, '15MiB', '15MiB'],
    ['bytes', 500_000, '500kB', '500kB'],
    ['share', 0.2, '20', 0.2],
    ['share', 0.02, '2', 0.02],
    ['number', 32, '32', 32],
    ['boolean', false, 'false', false],
    ['words', ['a', 'b'], 'a, b', ['a', 'b']],
    ['budget', { requests: 480, perMs: 86_400_000 }, '480/day', '480/day'],
    ['budget', { requests: 1_000, perMs: 600_000 }, '100/min', '100/min'],
    [
      'quality',
      { meanDelayMs: 900_000, completeness: 0.999 },
      'delay<15min,completeness>0.999',
      'delay<15min,completeness>0.999',
    ],
    ['text', null, '', null],
    ['text', { ms: 1_800_000 }, '30min', '30min'],
  ] as const)('%s %j is shown as %j and stored as %j', (kind, value, draft, stored) => {
    const setting = of(kind, value)
    expect(draftOf(setting)).toBe(draft)
    expect(settingValue(setting, draft)).toEqual(stored)
  })

  it('shows what waits for the next start rather than what runs', () =>
    expect(draftOf(of('number', 8080, 9000))).toBe('9000'))

  it('sends what is no number as it is, so that the node can say what is wrong', () =>
    expect(settingValue(of('number', 1), 'many')).toBe('many'))

  it('takes amounts and units apart', () => {
    const units = ['d', 'h', 'min', 's', 'ms']
    expect(partsOf('5min', units)).toEqual({ amount: '5', unit: 'min' })
    expect(partsOf('5ms', units)).toEqual({ amount: '5', unit: 'ms' })
    expect(partsOf('', units)).toEqual({ amount: '', unit: null })
    expect(partsOf('soonmin', units)).toEqual({ amount: 'soon', unit: 'min' })
  })

  it('takes a wish apart and puts it together', () => {
    expect(wishParts('delay<15min,completeness>0.999')).toEqual({ delay: '15min', share: '99.9' })
    expect(wishDraft({ delay: '15min', share: '99.9' })).toBe('delay<15min,completeness>0.999')
    expect(wishDraft({ delay: '', share: '' })).toBe('')
  })
})
