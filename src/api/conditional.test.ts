import { describe, expect, it } from 'vitest'
import { isNotModified } from './conditional.ts'

const MODIFIED = Date.UTC(2024, 4, 17, 12)
const validators = { etag: '"abc"', lastModified: MODIFIED }

describe('If-None-Match (RFC 9110 §13.1.2)', () => {
  it.each([
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ['"x",W/"abc" , "y"', true],
    ['*', true],
    [' * ', true],
    ['"ab"', false],
    ['"abc', false],
    ['abc', false],
    ['"x,"abc"', false],
    ['"a*c"', false],
    ['', false],
  ])('%s → 304: %s', (header, expected) => {
    expect(isNotModified({ 'if-none-match': header }, validators)).toBe(expected)
  })

  it('alone decides where it is present', () => {
    const since = new Date(MODIFIED).toUTCString()
    expect(isNotModified({ 'if-none-match': '"x"', 'if-modified-since': since }, validators)).toBe(false)
  })
})

describe('If-Modified-Since (RFC 9110 §13.1.3)', () => {
  it.each([
    ['Fri, 17 May 2024 12:00:00 GMT', true],
    ['Friday, 17-May-24 12:00:00 GMT', true],
    ['Fri May 17 12:00:00 2024', true],
    ['Sat, 18 May 2024 00:00:00 GMT', true],
    ['Fri, 17 May 2024 11:59:59 GMT', false],
    ['2024-05-17T12:00:00Z', false],
    ['tomorrow', false],
    ['', false],
  ])('%s → 304: %s', (header, expected) => {
    expect(isNotModified({ 'if-modified-since': header }, validators)).toBe(expected)
  })
})
