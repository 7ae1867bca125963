import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ALARMS, createAlarms } from './alarms.ts'

describe('alarms', () => {
  it('say since when, keep that time while they are raised again, and go when cleared', () => {
    let now = 10
    const alarms = createAlarms({ clock: { now: () => now } })
    alarms.raise('DISK_FULL', '0 bytes left')
    now = 20
    alarms.raise('DISK_FULL', '1 byte left')
    expect(alarms.list()).toMatchObject([{ code: 'DISK_FULL', since: 10, detail: '1 byte left', severity: 'error' }])
    alarms.clear('DISK_FULL')
    alarms.clear('DISK_FULL')
    expect(alarms.list()).toEqual([])
    alarms.raise('DISK_FULL', 'again')
    expect(alarms.list()).toMatchObject([{ since: 20 }])
  })

  it('come with errors first, the oldest of them first', () => {
    let now = 0
    const alarms = createAlarms({ clock: { now: () => now++ } })
    for (const code of ['DISK_NEARLY_FULL', 'LAYER_FAILING', 'DISK_FULL'] as const) alarms.raise(code, '')
    expect(alarms.list().map(({ code }) => code)).toEqual(['LAYER_FAILING', 'DISK_FULL', 'DISK_NEARLY_FULL'])
  })

  it('are logged once when they come and once when they go', () => {
    const messages: string[] = []
    const alarms = createAlarms({
      clock: { now: () => 0 },
      onChange: ({ alarm, isRaised }) => messages.push(`${isRaised ? '+' : '-'}${alarm.code}`),
    })
    alarms.raise('DISK_FULL', 'a')
    alarms.raise('DISK_FULL', 'b')
    alarms.clear('DISK_FULL')
    alarms.clear('DISK_FULL')
    expect(messages).toEqual(['+DISK_FULL', '-DISK_FULL'])
  })

  it('are all explained in docs/operating.md, with their words, and none that does not exist', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (error|warning) \| (.+?) \|/gm)]
    expect(Object.fromEntries(rows.map(([, code, severity, summary]) => [code, { severity, summary }]))).toEqual(
      Object.fromEntries(Object.entries(ALARMS).map(([code, { severity, summary }]) => [code, { severity, summary }])),
    )
  })
})
