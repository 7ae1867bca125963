import { expect, it } from 'vitest'
import { pickEncoding, prefersJson } from './accept.ts'

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br, gzip;q=0.8', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['gzip;q=0.000', 'identity'],
  ['*', 'gzip'],
  ['*;q=0', 'identity'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, gzip;q=1.0', 'gzip'],
  ['br', 'identity'],
  ['gzip;q=nonsense', 'identity'],
])('Accept-Encoding: %s → %s (RFC 9110 §12.5.3)', (header, encoding) => {
  expect(pickEncoding(header)).toBe(encoding)
})

it.each([
  [undefined, false],
  ['*/*', false],
  ['application/json', true],
  ['text/html, application/json;q=0.9', false],
  ['application/json, text/html;q=0.9', true],
  ['application/json;q=0', false],
])('Accept: %s → JSON: %s', (header, json) => {
  expect(prefersJson(header)).toBe(json)
})
