import { zoneByName } from './date-names.ts'
import type { DateWitness } from './day-month-order.ts'

const OFFSET = /([+\-\u2212\u2013]){1,2}\s?(\d{1,2})(?::?(\d{2}))?(?::?\d{2})?(?!\d)/
const WORD = /[a-z]+/g

/**
 * Minutes east of Greenwich from what follows a time: `+0100`, `-5:30`, `GMT+2`, `-0700 (PDT)`, `EST`. A number says
 * more than a name; unknown names mean UTC, and `witness` is called. `text` is lower case.
 */
export function zoneMinutes(text: string, witness?: DateWitness): number {
  if (text === '' || text === 'z' || text === 'gmt') return 0
  const offset = OFFSET.exec(text)
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0)
    return offset[1] === '+' ? minutes : -minutes
  }
  const words = text.match(WORD) ?? []
  for (const word of words) {
    const minutes = zoneByName(word)
    if (minutes !== null) return minutes
  }
  const name = words.find((word) => word.length > 1)
  if (name !== undefined) witness?.missZone(name)
  return 0
}

/** Zones written out, as Windows and JavaScript do, by their abbreviations. */
const WRITTEN_OUT: readonly (readonly [name: RegExp, zone: string])[] = [
  [/coordinated universal time/, 'utc'],
  [/greenwich mean time|gmt standard time/, 'gmt'],
  [
    /(?:central european|w\. europe|romance|central europe) (?:standard )?time|mitteleuropaische (?:normal)?zeit/,
    'cet',
  ],
  [
    /(?:central european|w\. europe|romance|central europe) (?:summer|daylight) time|mitteleuropaische sommerzeit/,
    'cest',
  ],
  [/(?:eastern european|e\. europe|gtb) (?:standard )?time/, 'eet'],
  [/(?:eastern european|e\. europe|gtb) (?:summer|daylight) time/, 'eest'],
  [/western european (?:standard )?time/, 'wet'],
  [/western european (?:summer|daylight) time/, 'west'],
  [/british summer time|gmt (?:summer|daylight) time/, 'bst'],
  [/moscow (?:standard )?time|russian standard time/, 'msk'],
  [/indian? (?:standard )?time/, 'ist'],
  [/china (?:standard )?time|hong kong (?:standard )?time/, 'hkt'],
  [/(?:japan|tokyo) (?:standard )?time/, 'jst'],
  [/korean? (?:standard )?time/, 'kst'],
  [/singapore (?:standard )?time/, 'sgt'],
  [/(?:australian eastern|aus eastern|e\. australia) standard time/, 'aest'],
  [/(?:australian eastern|aus eastern) (?:summer|daylight) time/, 'aedt'],
  [/new zealand standard time/, 'nzst'],
  [/new zealand (?:summer|daylight) time/, 'nzdt'],
  [/atlantic (?:standard )?time/, 'ast'],
  [/atlantic daylight time/, 'adt'],
  [/eastern (?:standard )?time/, 'est'],
  [/eastern daylight time/, 'edt'],
  [/central (?:standard )?time/, 'cst'],
  [/central daylight time/, 'cdt'],
  [/mountain (?:standard )?time/, 'mst'],
  [/mountain daylight time/, 'mdt'],
  [/pacific (?:standard )?time/, 'pst'],
  [/pacific daylight time/, 'pdt'],
  [/alaskan? (?:standard )?time/, 'akst'],
  [/alaskan? daylight time/, 'akdt'],
  [/hawaiian? (?:standard )?time/, 'hst'],
]

/** `20:19 pacific daylight time` → `20:19 pdt`; folded as dates are. */
export function shortenZone(text: string): string {
  if (!text.includes(' time') && !text.includes('zeit')) return text
  for (const [name, zone] of WRITTEN_OUT) if (name.test(text)) return text.replace(name, zone)
  return text
}
