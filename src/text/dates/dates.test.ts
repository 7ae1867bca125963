import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFeedDate } from './dates.ts'

const iso = (text: string) => {
  const value = parseFeedDate(text)
  return value === null ? null : new Date(value).toISOString().replace('.000Z', 'Z')
}

const JAN_1 = '2004-01-01T19:48:21Z'
const LAST = '2003-12-31T10:14:55Z'

const TABLES: Record<string, [string, string | null][]> = {
  'W3C-DTF and ISO 8601': [
    ['2003-12-31T10:14:55Z', LAST],
    ['2003-12-31T10:14:55.250Z', '2003-12-31T10:14:55.250Z'],
    ['2003-12-31T10:14:55.1239999Z', '2003-12-31T10:14:55.123Z'],
    ['2003-12-31T10:14:55,25Z', '2003-12-31T10:14:55.250Z'],
    ['2003-12-31T11:14:55+01:00', LAST],
    ['2003-12-31T11:14:55+0100', LAST],
    ['2003-12-31T11:14:55+01', LAST],
    ['2003-12-31T15:44:55+5:30', LAST],
    ['2003-12-31T05:14:55\u221205:00', LAST],
    ['2003-12-31T02:14:55-8', LAST],
    ['2003-12-31t10:14:55z', LAST],
    ['2003-12-31 10:14:55', LAST],
    ['2003-12-31 10:14:55 UTC', LAST],
    ['2003-12-31 05:14:55 EST', LAST],
    ['2003-12-31 10:14:55 +0000 UTC', LAST],
    ['2003-12-31T10:14Z', '2003-12-31T10:14:00Z'],
    ['2003-12-31T10Z', '2003-12-31T10:00:00Z'],
    ['2003-12-31Z', '2003-12-31T00:00:00Z'],
    ['2003-12-31', '2003-12-31T00:00:00Z'],
    ['2003-12', '2003-12-01T00:00:00Z'],
    ['2003', '2003-01-01T00:00:00Z'],
    ['20031231T101455Z', LAST],
    ['20031231T111455+0100', LAST],
    ['20031231101455', LAST],
    ['200312311014', '2003-12-31T10:14:00Z'],
    ['20031231', '2003-12-31T00:00:00Z'],
    ['031231', '2003-12-31T00:00:00Z'],
    ['03-12-31', '2003-12-31T00:00:00Z'],
    ['-03-12', '2003-12-01T00:00:00Z'],
    ['2003-365', '2003-12-31T00:00:00Z'],
    ['2004366', '2004-12-31T00:00:00Z'],
    ['2003-W01-1', '2002-12-30T00:00:00Z'],
    ['2009-W53-7', '2010-01-03T00:00:00Z'],
    ['2004W017', '2004-01-04T00:00:00Z'],
    ['2003-12-31T24:00:00Z', '2004-01-01T00:00:00Z'],
    ['2003-12-31T23:59:60Z', '2004-01-01T00:00:00Z'],
    ['2004/01/02 10:00:00', '2004-01-02T10:00:00Z'],
    ['2004-1-2', '2004-01-02T00:00:00Z'],
  ],
  'what can be no month is the day': [
    ['2003-25-12', '2003-12-25T00:00:00Z'],
    ['2003/13/01 10:00', '2003-01-13T10:00:00Z'],
  ],
  'out of range in ISO 8601 rolls over, as feedparser reads it': [
    ['2003-13-20T00:00:00Z', '2004-01-20T00:00:00Z'],
    ['2003-02-30T00:00:00Z', '2003-03-02T00:00:00Z'],
    ['2003-02-29', '2003-03-01T00:00:00Z'],
    ['2003-12-31T25:00:00Z', '2004-01-01T01:00:00Z'],
    ['2003-12-31T10:75:00Z', '2003-12-31T11:15:00Z'],
    ['2003-12-31T10:14:55-25:00', '2004-01-01T11:14:55Z'],
  ],
  'RFC 822, 850, 1123 and asctime': [
    ['Thu, 01 Jan 2004 19:48:21 GMT', JAN_1],
    ['Thu, 1 Jan 2004 19:48:21 GMT', JAN_1],
    ['Thu,1 Jan 2004 19:48:21 GMT', JAN_1],
    ['Thu,  01 Jan 2004  19:48:21  GMT', JAN_1],
    ['\n  Thu, 01 Jan 2004 19:48:21 GMT \t', JAN_1],
    ['Mon, 01 Jan 2004 19:48:21 GMT', JAN_1],
    ['01 Jan 2004 19:48:21 GMT', JAN_1],
    ['Thu, 01 Jan 04 19:48:21 GMT', JAN_1],
    ['Thu, 01 Jan 104 19:48:21 GMT', JAN_1],
    ['Thu, 01 Jan 2004 19:48:21', JAN_1],
    ['thu, 01 jan 2004 19:48:21 gmt', JAN_1],
    ['THU, 01 JAN 2004 19:48:21 GMT', JAN_1],
    ['Thursday, 01 January 2004 19:48:21 GMT', JAN_1],
    ['Thu, 01 Jan 2004 19:48 GMT', '2004-01-01T19:48:00Z'],
    ['Thu, 01 Jan 2004', '2004-01-01T00:00:00Z'],
    ['Thursday, 01-Jan-04 19:48:21 GMT', JAN_1],
    ['Thu Jan  1 19:48:21 2004', JAN_1],
    ['Thu Jan 01 19:48:21 GMT 2004', JAN_1],
    ['Thu Jan 01 20:48:21 +0100 2004', JAN_1],
    ['Thu Jan 1 20:48:21 2004 +0100', JAN_1],
    ['Thu, Jan 01 2004 19:48:21 GMT', JAN_1],
    ['Sun, 31 Dec 1950 00:00:00 GMT', '1950-12-31T00:00:00Z'],
    ['31 Dec 50 00:00 GMT', '1950-12-31T00:00:00Z'],
    ['31 Dec 49 00:00 GMT', '2049-12-31T00:00:00Z'],
    ['Sat, 30 Jun 2012 5:5:5 GMT', '2012-06-30T05:05:05Z'],
    ['Sat, 30 Jun 2012 24:00:00 GMT', '2012-07-01T00:00:00Z'],
    ['Sat, 30 Jun 2012 23:59:60 GMT', '2012-07-01T00:00:00Z'],
    ['Wed, 01 Sept 2004 19:48:21 GMT', '2004-09-01T19:48:21Z'],
    ['Sun, 29 Febuary 2004 00:00:00 GMT', '2004-02-29T00:00:00Z'],
  ],
  zones: [
    ['Thu, 01 Jan 2004 14:48:21 EST', JAN_1],
    ['Thu, 01 Jan 2004 14:48:21 est', JAN_1],
    ['Thu, 01 Jan 2004 15:48:21 EDT', JAN_1],
    ['Thu, 01 Jan 2004 12:48:21 PDT', JAN_1],
    ['Thu, 01 Jan 2004 12:48:21 MST', JAN_1],
    ['Thu, 01 Jan 2004 21:48:21 CEST', JAN_1],
    ['Thu, 01 Jan 2004 14:48:21 ET', JAN_1],
    ['Thu, 01 Jan 2004 19:48:21 UT', JAN_1],
    ['Thu, 01 Jan 2004 19:48:21 Z', JAN_1],
    ['Thu, 01 Jan 2004 19:48:21 A', JAN_1],
    ['Thu, 01 Jan 2004 19:48:21 -0000', JAN_1],
    ['Thu, 01 Jan 2004 21:48:21 +0200', JAN_1],
    ['Thu, 01 Jan 2004 21:48:21 +02:00', JAN_1],
    ['Thu, 01 Jan 2004 21:48:21 +2', JAN_1],
    ['Thu, 01 Jan 2004 21:48:21 GMT+2', JAN_1],
    ['Thu, 01 Jan 2004 21:48:21 GMT+0200', JAN_1],
    ['Thu, 01 Jan 2004 17:48:21 GMT-02:00', JAN_1],
    ['Thu, 01 Jan 2004 11:48:21 -0800 (PST)', JAN_1],
    ['Thu Jan 01 2004 11:48:21 GMT-0800 (Pacific Standard Time)', JAN_1],
    ['Thu, 01 Jan 2004 19:48:21 Etc/GMT', JAN_1],
    ['Thu, 01 Jan 2004 19:48:21 nowhere', JAN_1],
  ],
  'hosts of their own mind': [
    ['Fri, 2006/09/15 08:19:53 EDT', '2006-09-15T12:19:53Z'],
    ['2004년 05월 28일  01:31:15', '2004-05-27T16:31:15Z'],
    ['2004-05-28 오후 11:31:15', '2004-05-28T14:31:15Z'],
    ['2004-05-25 오전 12:23:17', '2004-05-24T15:23:17Z'],
    ['2004年5月28日 11:31', '2004-05-28T11:31:00Z'],
    ['2004-07-08 23:56:58.0', '2004-07-08T23:56:58Z'],
    ['Κυρ, 11 Ιούλ 2004 12:00:00 EST', '2004-07-11T17:00:00Z'],
    ['Τρι, 04 Μαΐου 2004 12:00:00 GMT', '2004-05-04T12:00:00Z'],
    ['2004-július-13T9:15-05:00', '2004-07-13T14:15:00Z'],
    ['2004. július 13. 9:15', '2004-07-13T09:15:00Z'],
    ['January 1, 2004', '2004-01-01T00:00:00Z'],
    ['January 1st, 2004 at 7:48:21 PM', JAN_1],
    ['7:48:21 p.m. EST, January 1, 2004', '2004-01-02T00:48:21Z'],
    ['12:30 AM Jan 1 2004', '2004-01-01T00:30:00Z'],
    ['Jan 2004', '2004-01-01T00:00:00Z'],
    ['1/2/2004 10:00', '2004-01-02T10:00:00Z'],
    ['31/1/2004', '2004-01-31T00:00:00Z'],
    ['1.2.2004 10:00', '2004-02-01T10:00:00Z'],
    ['01-02-2004', '2004-02-01T00:00:00Z'],
    ['1072986501', JAN_1],
    ['1072986501.5', '2004-01-01T19:48:21.500Z'],
    ['1072986501000', JAN_1],
  ],
  'other languages': [
    ['mar., 06 janv. 2004 10:00:00 +0100', '2004-01-06T09:00:00Z'],
    ['mardi 6 janvier 2004', '2004-01-06T00:00:00Z'],
    ['dim., 15 août 2004 19h30', '2004-08-15T19:30:00Z'],
    ['ven., 02 juil. 2004 10:00:00 GMT', '2004-07-02T10:00:00Z'],
    ['Di, 02 Mär 2004 10:00:00 +0100', '2004-03-02T09:00:00Z'],
    ['Dienstag, 2. März 2004, 10:00 Uhr', '2004-03-02T10:00:00Z'],
    ['Mi, 01 Dez 2004 10:00:00 +0100', '2004-12-01T09:00:00Z'],
    ['mar, 06 ene 2004 10:00:00 GMT', '2004-01-06T10:00:00Z'],
    ['6 de diciembre de 2004', '2004-12-06T00:00:00Z'],
    ['mer, 07 lug 2004 10:00:00 +0200', '2004-07-07T08:00:00Z'],
    ['7 maggio 2004', '2004-05-07T00:00:00Z'],
    ['qua, 01 set 2004 10:00:00 -0300', '2004-09-01T13:00:00Z'],
    ['2 de março de 2004', '2004-03-02T00:00:00Z'],
    ['7 out 2004', '2004-10-07T00:00:00Z'],
    ['di, 02 mrt 2004 10:00:00 +0100', '2004-03-02T09:00:00Z'],
    ['3 mei 2004', '2004-05-03T00:00:00Z'],
    ['Чт, 01 янв 2004 22:48:21 +0300', JAN_1],
    ['1 мая 2004', '2004-05-01T00:00:00Z'],
    ['Вт, 06 Июл 2004 10:00:00 MSK', '2004-07-06T07:00:00Z'],
    ['15 września 2004', '2004-09-15T00:00:00Z'],
    ['10 Ağustos 2004', '2004-08-10T00:00:00Z'],
  ],
  'no date': [
    ['', null],
    ['   ', null],
    ['now', null],
    ['tomorrow', null],
    ['Maybe next Thursday', null],
    ['Thu, 01 Foo 2004 19:48:21 GMT', null],
    ['Thu, 32 Jan 2004 19:48:21 GMT', null],
    ['Thu, 31 Jun 2004 19:48:21 GMT', null],
    ['Thu, 0 Jan 2004 19:48:21 GMT', null],
    ['Thu, 01 Jan 2004 25:00:00 GMT', null],
    ['Thu, 01 Jan 2004 10:60:00 GMT', null],
    ['Sun, 31 Dec 9999 23:59:59 -9999', null],
    ['0999-12-31', null],
    ['10000-01-01T00:00:00Z', null],
    ['--12-31', null],
    ['12', null],
    ['12345678901234567890', null],
    ['1'.repeat(10_000), null],
    [' '.repeat(100_000), null],
  ],
}

for (const [name, rows] of Object.entries(TABLES)) {
  describe(name, () => {
    it.each(rows)('%s', (text, expected) => expect(iso(text)).toBe(expected))
  })
}

describe('properties', () => {
  const instant = fc.date({ min: new Date('1000-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 })

  it('reads what JavaScript writes', () => {
    fc.assert(
      fc.property(instant, (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000
        expect(parseFeedDate(date.toISOString())).toBe(date.getTime())
        expect(parseFeedDate(date.toUTCString())).toBe(seconds)
        expect(parseFeedDate(date.toISOString().replace('T', ' '))).toBe(date.getTime())
        expect(parseFeedDate(date.toUTCString().toLowerCase().slice(5))).toBe(seconds)
      }),
      { numRuns: 1000 },
    )
  })

  it('reads every zone in every form', () => {
    fc.assert(
      fc.property(instant, offset, (date, minutes) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000
        const local = new Date(seconds + minutes * 60_000)
        const two = (n: number) => String(n).padStart(2, '0')
        const [hh, mm] = [two(Math.floor(Math.abs(minutes) / 60)), two(Math.abs(minutes) % 60)]
        const sign = minutes < 0 ? '-' : '+'
        for (const zone of [`${sign}${hh}:${mm}`, `${sign}${hh}${mm}`]) {
          expect(parseFeedDate(local.toISOString().slice(0, 19) + zone)).toBe(seconds)
          expect(parseFeedDate(local.toUTCString().replace('GMT', zone))).toBe(seconds)
          expect(parseFeedDate(local.toUTCString().replace('GMT', `GMT${zone}`))).toBe(seconds)
        }
      }),
    )
  })

  it('never throws and stays within the years', () => {
    const piece = fc.constantFrom(
      '2004',
      '-',
      ':',
      ' ',
      'T',
      'Jan',
      'mar',
      'Thu,',
      '12',
      '+',
      'GMT',
      '일',
      '99',
      '.',
      'pm',
      '(',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 14 }).map((list) => list.join('')),
    )
    fc.assert(
      fc.property(text, (candidate) => {
        const value = parseFeedDate(candidate)
        if (value !== null) expect(new Date(value).toISOString()).toMatch(/^\d{4}-/)
      }),
      { numRuns: 5000 },
    )
  })
})

const CORPORA = new URL('../../../../shared/corpora/', import.meta.url)

describe.skipIf(!existsSync(CORPORA))('dates of the corpora (skipped where ../shared/corpora is absent)', () => {
  it('meets every date clause of feedparser on the text that the document holds', () => {
    const failures: string[] = []
    let checked = 0
    for (const line of readFileSync(new URL('feedparser/expect.jsonl', CORPORA), 'utf8').trim().split('\n')) {
      const one = JSON.parse(line) as { file: string; clauses?: { path?: unknown[]; value?: { tuple?: number[] } }[] }
      for (const clause of one.clauses ?? []) {
        const tuple = clause.value?.tuple
        if (!String(clause.path?.at(-1)).endsWith('_parsed') || tuple === undefined) continue
        const [year, month, day, hour, minute, second] = tuple as [number, number, number, number, number, number]
        const expected = Date.UTC(year, month - 1, day, hour, minute, second)
        const document = readFileSync(new URL(`feedparser/${one.file}`, CORPORA), 'latin1')
        const dates = [...document.matchAll(/[>=;"]\s*([^<>=;"]{4,40}?)\s*(?=[<;"])/g)].map((m) =>
          parseFeedDate(m[1] as string),
        )
        checked += 1
        if (!dates.includes(expected)) failures.push(one.file)
      }
    }
    expect(checked).toBeGreaterThanOrEqual(30)
    expect(failures).toEqual([])
  })

  it('reads every date element that real feeds hold', () => {
    const unread = new Set<string>()
    let read = 0
    for (const folder of ['rss-parser', 'node-feedparser', 'feed-rs', 'newsblur', 'rome']) {
      for (const name of readdirSync(new URL(`${folder}/`, CORPORA), { recursive: true, encoding: 'utf8' })) {
        if (!/\.(xml|rss|atom|rdf)$/.test(name)) continue
        const document = readFileSync(new URL(`${folder}/${name}`, CORPORA), 'latin1')
        for (const match of document.matchAll(/<(?:pubDate|dc:date|published|updated|lastBuildDate)>([^<]+)</gi)) {
          if (parseFeedDate(match[1] as string) === null) unread.add(`${folder}/${name}: ${match[1]}`)
          else read += 1
        }
      }
    }
    expect(read).toBeGreaterThan(1000)
    expect([...unread]).toEqual([])
  })
})
