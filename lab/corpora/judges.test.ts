import { describe, expect, it } from 'vitest'
import { isClauseMet } from './clauses.ts'
import { sameHtml } from './html-equal.ts'
import { findDanger } from './safety.ts'

// The judges must be able to say no, or the corpora prove nothing.
describe('findDanger', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="  jAvA\tscript:alert(1)">x</a>',
    '<a href="java&#10;script:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<iframe src="https://example.org"></iframe>',
    '<p style="width: expr/**/ession(alert(1))">x</p>',
    '<p style="background: \\75 rl(javascript:x)">x</p>',
    '<form action="/x"><input></form>',
  ])('finds %s', (html) => expect(findDanger(html)).not.toBeNull())

  it.each([
    'plain',
    '<p>text <b>bold</b> <a href="https://example.org/">link</a></p>',
    '<img src="data:image/png;base64,AA==" alt="">',
    '&lt;script&gt;',
    '<p style="color: red">x</p>',
  ])('passes %s', (html) => expect(findDanger(html)).toBeNull())
})

describe('sameHtml', () => {
  it.each([
    ['<br>', '<br />'],
    ['<a b="1" c="2">x</a>', "<a c='2' b='1'>x</a>"],
    ['don&#39;t', "don't"],
    ['<p>a\n b</p>', '<p>a b</p>'],
  ])('%s means %s', (a, b) => expect(sameHtml(a, b)).toBe(true))

  it.each([
    ['<b>x</b>', '<i>x</i>'],
    ['<a href="1">x</a>', '<a href="2">x</a>'],
    ['x', 'y'],
    ['<p>x</p>', 'x'],
    ['&lt;b&gt;', '<b>'],
  ])('%s does not mean %s', (a, b) => expect(sameHtml(a, b)).toBe(false))
})

describe('clauses', () => {
  it.each<[string, unknown, unknown]>([
    ['eq', 'a', 'b'],
    ['eq', 'a', null],
    ['eq', null, 'a'],
    ['eq', 'Ann', ['Bo']],
    ['eq', 'Ann', []],
    ['eq', 'http://x.example/a', 'http://x.example/b'],
    ['eq', 1, '1'],
    ['date', '2020-01-01T00:00:00Z', Date.UTC(2020, 0, 1) + 1],
    ['date', '2020-01-01T00:00:00Z', null],
    ['list', ['a', 'b'], ['b', 'a']],
    ['set', ['a', 'b'], ['a']],
    ['has', 'a', ['b']],
    ['contains', 'a', 'b'],
    ['contains', 'a', null],
    ['null', null, 'a'],
    ['notnull', null, undefined],
  ])('%s %j is not met by %j', (op, expected, read) => expect(isClauseMet(op, expected, read)).toBe(false))

  it.each<[string, unknown, unknown]>([
    ['eq', 'a  b', 'a b'],
    ['eq', 'ann@x.example (Ann)', ['Ann', 'ann@x.example']],
    ['eq', 'http://x.example', 'http://x.example/'],
    ['date', '2020-01-01T00:00:00Z', [null, Date.UTC(2020, 0, 1)]],
    ['set', ['a', 'b'], ['b', 'a']],
    ['null', null, [null, undefined]],
  ])('%s %j is met by %j', (op, expected, read) => expect(isClauseMet(op, expected, read)).toBe(true))
})
