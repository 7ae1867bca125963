import { zoneByName } from './date-names.ts'

const OFFSET = /([+\-\u2212\u2013]){1,2}\s?(\d{1,2})(?::?(\d{2}))?(?::?\d{2})?(?!\d)/
const WORD = /[a-z]+/g

/**
 * Minutes east of Greenwich from what follows a time: `+0100`, `-5:30`, `GMT+2`, `-0700 (PDT)`, `EST`. A number says
 * more than a name; names that nobody knows mean UTC. `text` is lower case.
 */
export function zoneMinutes(text: string): number {
  if (text === '' || text === 'z' || text === 'gmt') return 0
  const offset = OFFSET.exec(text)
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0)
    return offset[1] === '+' ? minutes : -minutes
  }
  for (const word of text.match(WORD) ?? []) {
    const minutes = zoneByName(word)
    if (minutes !== null) return minutes
  }
  return 0
}
