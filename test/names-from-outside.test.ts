import { describe, expect, it } from 'vitest'
import { parseDuration } from '../src/app/settings/units.ts'
import { decodersFor } from '../src/crawler/fetch/decoders.ts'
import { parseAllowedRanges } from '../src/http/address-ranges.ts'
import { tableOf } from '../src/model/table.ts'
import { parseQuery } from '../src/query/language/parse.ts'
import { commonFeedPaths } from '../src/sources/common-paths.ts'
import { checkOwnRule, meaningOf } from '../src/sources/meant/index.ts'

// Every object has them, though nobody put them there.
const NAMES = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty']

describe.each(NAMES)('a table does not know %s', (name) => {
  it('as an entry', () => {
    expect(tableOf({ known: 1 })[name]).toBeUndefined()
    expect(tableOf({ known: 1 })['known']).toBe(1)
  })

  it('as a Content-Encoding, which is skipped', () => {
    expect(decodersFor(name)).toEqual([])
    expect(decodersFor(`${name}, gzip`)).toHaveLength(1)
  })

  it('as a host with feeds of its own', () => {
    expect(commonFeedPaths(`http://${name}/`)).toEqual(
      commonFeedPaths('http://other/').map((url) => url.replace('other', new URL(`http://${name}/`).host)),
    )
    expect(meaningOf(`http://${name}/${name}`).rule).toBeNull()
    expect(() => checkOwnRule({ name, match: `a.example/{a:${name}}`, give: ['https://b.example/'] })).toThrow(
      expect.objectContaining({ code: 'ADDRESS_RULE_INVALID' }),
    )
  })

  it('as a range of addresses or a unit of time', () => {
    expect(() => parseAllowedRanges([name])).toThrow(expect.objectContaining({ code: 'USAGE' }))
    expect(() => parseDuration(`5${name}`)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    expect(parseQuery(`RETURN ALL WHERE PUBLISHED IN LAST 5 ${name}`).ok).toBe(false)
  })
})
