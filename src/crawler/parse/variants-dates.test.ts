import { describe, expect, it } from 'vitest'
import { parseFeed } from './parse.ts'

// Zones by name, and the order of day and month, as they are in real feeds.

function read(...dates: readonly string[]) {
  const items = dates.map((date, i) => `<item><guid>${i}</guid><pubDate>${date}</pubDate></item>`).join('')
  const result = parseFeed(Buffer.from(`<rss version="2.0"><channel><title>t</title>${items}</channel></rss>`))
  return {
    dates: result.items.map(({ published }) =>
      published === null ? null : new Date(published).toISOString().slice(0, 16),
    ),
    problems: result.problems.map(({ code }) => code),
  }
}

describe('zones by name', () => {
  it.each([
    ['Fri, 31 Mar 2023 20:19:00 America/Los_Angeles', '2023-04-01T03:19'],
    ['2023-03-31T20:19:00[Europe/Berlin]', '2023-03-31T18:19'],
    ['2023-12-31 20:19 Europe/Berlin', '2023-12-31T19:19'],
    ['Fri, 31 Mar 2023 20:19:00 (Europe/Paris)', '2023-03-31T18:19'],
    ['Fri, 31 Mar 2023 20:19:00 US/Eastern', '2023-04-01T00:19'],
    ['Fri, 31 Mar 2023 20:19:00 Etc/GMT+5', '2023-04-01T01:19'],
    ['Sun, 26 Mar 2023 02:30:00 Europe/Berlin', '2023-03-26T01:30'],
    ['Mon Jan 2 15:04:05 2006 EST', '2006-01-02T20:04'],
    ['Mon Jan 2 15:04:05 EST 2006', '2006-01-02T20:04'],
    ['Mon, 2 Jan 2006 EST 15:04:05', '2006-01-02T20:04'],
    ['Mon, 02 Jan 2006 EST', '2006-01-02T05:00'],
    ['January 2, 2006 at 3:04 pm PT', '2006-01-02T23:04'],
    ['January 2, 2006 at 15:04', '2006-01-02T15:04'],
    ['Fri, 31 Mar 2023 20:19:00 Pacific Daylight Time', '2023-04-01T03:19'],
    ['Fri, 31 Mar 2023 20:19:00 Mitteleuropäische Sommerzeit', '2023-03-31T18:19'],
    ['Fri Mar 31 2023 20:19:00 GMT+0200 (Central European Summer Time)', '2023-03-31T18:19'],
    ['Fri, 31 Mar 2023 20:19:00 PHT', '2023-03-31T12:19'],
    ['Fri, 31 Mar 2023 20:19:00 UTC+2', '2023-03-31T18:19'],
  ])('%s', (written, expected) => expect(read(written)).toEqual({ dates: [expected], problems: [] }))

  it.each([
    ['Fri, 31 Mar 2023 20:19:00 XYZ', '2023-03-31T20:19'],
    ['2023-03-31T20:19:00 QQT', '2023-03-31T20:19'],
    ['Fri, 31 Mar 2023 20:19:00 Europe/Nowhere', '2023-03-31T20:19'],
  ])('%s names an unknown one: UTC, and reported', (written, expected) => {
    expect(read(written)).toEqual({ dates: [expected], problems: ['unknown-zone'] })
  })

  it.each([
    'Fri, 31 Mar 2023 20:19:00',
    'Fri, 31 Mar 2023 20:19:00 A',
    '31 Mar 2023 8:19 PM',
    '31 March 2023',
    '20:19 Friday',
  ])('%s names none', (written) => expect(read(written).problems).not.toContain('unknown-zone'))
})

describe('day and month', () => {
  it.each([
    ['by size', ['25/03/2020'], ['2020-03-25']],
    ['by the weekday', ['Sun, 01/03/2020'], ['2020-03-01']],
    ['by the weekday, the other way', ['Fri, 01/03/2020'], ['2020-01-03']],
    ['by the weekday, French', ['dimanche 01/03/2020'], ['2020-03-01']],
    ['by the weekday, German', ['Freitag, 01.03.2020'], ['2020-01-03']],
    ['by the weekday, Russian', ['воскресенье, 01/03/2020'], ['2020-03-01']],
    ['as another date shows', ['02/03/2020', '25/03/2020'], ['2020-03-02', '2020-03-25']],
    ['as another date shows by its weekday', ['02/03/2020', 'Sun, 01/03/2020'], ['2020-03-02', '2020-03-01']],
    [
      'as most dates show',
      ['13/02/2020', '14/02/2020', '02/15/2020', '03/02/2020'],
      ['2020-02-13', '2020-02-14', '2020-02-15', '2020-02-03'],
    ],
    ['close to a date beyond doubt', ['Wed, 04 Mar 2020 10:00 GMT', '05/03/2020'], ['2020-03-04', '2020-03-05']],
    ['close to each other', ['03/04/2020', '05/04/2020', '09/04/2020'], ['2020-04-03', '2020-04-05', '2020-04-09']],
    [
      'close to each other, American',
      ['04/01/2020', '04/02/2020', '04/08/2020'],
      ['2020-04-01', '2020-04-02', '2020-04-08'],
    ],
    [
      'close to each other, with dots',
      ['04.01.2020', '04.02.2020', '04.08.2020'],
      ['2020-04-01', '2020-04-02', '2020-04-08'],
    ],
    ['the year first', ['2020-25-03'], ['2020-03-25']],
  ])('%s', (_, written, expected) => {
    expect(read(...written)).toEqual({ dates: expected.map((day) => expect.stringContaining(day)), problems: [] })
  })

  it.each([
    ['02/03/2020', '2020-02-03'],
    ['02.03.2020', '2020-03-02'],
    ['02-03-2020', '2020-03-02'],
    ['Mon, 02/03/2020', '2020-02-03'],
  ])('%s alone is read by custom, and reported', (written, expected) => {
    expect(read(written)).toEqual({ dates: [expect.stringContaining(expected)], problems: ['ambiguous-date'] })
  })

  it.each(['13/13/2020', '31/04/2020', '02/30/2020', '00/01/2020', '32 Jan 2020'])(
    '%s is no date, and reported',
    (written) => {
      expect(read(written)).toEqual({ dates: [null], problems: ['bad-date'] })
    },
  )

  it('JSON Feed', () => {
    const items = ['02/03/2020', '25/03/2020'].map((date, i) => ({ id: `${i}`, date_published: date }))
    const feed = { version: 'https://jsonfeed.org/version/1.1', title: 't', items }
    const result = parseFeed(Buffer.from(JSON.stringify(feed)))
    expect(result.items.map(({ published }) => published)).toEqual([Date.UTC(2020, 2, 2), Date.UTC(2020, 2, 25)])
  })
})
