import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '../../src/model/index.ts'
import { parseFeedDate } from '../../src/text/dates/dates.ts'
import { type Corpus, corpusFolder, Examination } from './corpus.ts'

interface DateCase {
  readonly input: string
  /** ISO in UTC; null: no date; `any`: some date. */
  readonly expected: string | null
  readonly precision: string
}

const TALLY = 'dates outside matters of taste'

/** What is expected of these is a matter of taste, or contradicts what is expected of others. */
const TASTE: ReadonlyMap<string, string> = new Map([
  ...['2/1/2006', '02/01/2006 15:04 MST', '02/01/2006 15:04:05', '02/01/2006 - 15:04', '02/01/2006', '01-02-2006'].map(
    (input) =>
      [
        input,
        'alone, day and month cannot be distinguished: the feed decides, and by custom a slash is American',
      ] as const,
  ),
  ['Mon, 2 Jan 15:04:05 MST', 'no year'],
  ['2013-02-05T09:02:21.880-08:00', 'the zone is left out of what is expected'],
  ['Mon Aug 27 2012 12:13:35 GMT-0700 (PDT)', 'the zone is left out of what is expected'],
])

export const dateStrings: Corpus = {
  name: 'dates',
  run() {
    const folder = corpusFolder('dates')
    const exam = new Examination(folder)
    exam.require(TALLY, 0.97)
    for (const one of readCases(join(folder, 'cases.jsonl'))) {
      const taste = TASTE.get(one.input)
      if (taste !== undefined) {
        exam.skip(taste, one.input)
        continue
      }
      exam.noteDocument()
      const read = parseFeedDate(one.input)
      exam.count(TALLY, isRight(one, read), () => `${one.input}: ${one.expected}, got ${iso(read)}`)
    }
    return exam.result('dates')
  },
}

function isRight({ expected, precision }: DateCase, read: number | null): boolean {
  if (expected === null) return read === null
  if (expected === 'any') return read !== null
  if (read === null) return false
  const off = Math.abs(read - Date.parse(expected))
  return precision === 'day' ? off < DAY_MS : off < 1_000
}

function readCases(file: string): readonly DateCase[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as DateCase)
}

function iso(instant: number | null): string {
  return instant === null ? 'none' : new Date(instant).toISOString()
}
