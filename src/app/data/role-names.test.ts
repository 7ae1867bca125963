import { describe, expect, it } from 'vitest'
import { parseRoles, ROLE_NAMES } from './role-names.ts'

describe('the roles of a process', () => {
  it.each([
    ['all', ROLE_NAMES],
    ['api', ['api']],
    ['api,crawler', ['crawler', 'api']],
    [' matcher , matcher ', ['matcher']],
    ['crawler,all', ROLE_NAMES],
  ])('%s', (text, roles) => {
    expect(parseRoles(text)).toEqual(roles)
  })

  it.each(['', 'crawlers', 'crawler,', 'crawler matcher', 'API'])('"%s" is refused, with what can be given', (text) => {
    expect(() => parseRoles(text)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    expect(() => parseRoles(text)).toThrow('crawler, matcher, publisher, api')
  })
})
