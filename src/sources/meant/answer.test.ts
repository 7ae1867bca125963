import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAnswer } from './index.ts'
import type { Ask } from './rule.ts'

const WEBFINGER: Ask = { kind: 'webfinger', url: 'https://h.example/.well-known/webfinger?resource=x' }
const LOOKUP: Ask = { kind: 'json', url: 'https://h.example/lookup', path: ['results', 0, 'feedUrl'] }
const MARK: Ask = {
  kind: 'mark',
  url: 'https://h.example/@a',
  after: ['"id":"UC', 'users:'],
  give: ['https://f.example/?c=UC{found}'],
}

describe('what an answer names', () => {
  it.each([
    [
      'a page',
      { links: [{ rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: 'https://s.example/@a' }] },
      ['https://s.example/@a'],
    ],
    [
      'a feed before a page',
      {
        links: [
          { rel: 'http://webfinger.net/rel/profile-page', href: 'https://s.example/@a' },
          {
            rel: 'http://schemas.google.com/g/2010#updates-from',
            type: 'application/atom+xml',
            href: 'https://s.example/a.atom',
          },
        ],
      },
      ['https://s.example/a.atom', 'https://s.example/@a'],
    ],
    [
      'an actor, which is no page',
      { links: [{ rel: 'self', type: 'application/activity+json', href: 'https://s.example/u/a' }] },
      [],
    ],
    [
      'no web address',
      {
        links: [
          { rel: 'self', href: 'javascript:alert(1)' },
          { rel: 'self', href: 'file:///etc/passwd' },
        ],
      },
      [],
    ],
    ['links that are none', { links: { rel: 'self' } }, []],
    ['nothing', {}, []],
  ])('account: %s', (_, document, found) => expect(readAnswer(WEBFINGER, JSON.stringify(document))).toEqual(found))

  it.each([
    [{ results: [{ feedUrl: 'https://f.example/pod.xml' }] }, ['https://f.example/pod.xml']],
    [{ results: [{ feedUrl: 'ftp://f.example/' }] }, []],
    [{ results: [{}] }, []],
    [{ results: 7 }, []],
    [null, []],
  ])('directory: %j', (document, found) => expect(readAnswer(LOOKUP, JSON.stringify(document))).toEqual(found))

  it.each([
    ['…"id":"UCabc_-1","other":1', ['https://f.example/?c=UCabc_-1']],
    ['users:12345" />', ['https://f.example/?c=UC12345']],
    ['"id":"UC" and users:7', ['https://f.example/?c=UC7']],
    ['nothing of it', []],
  ])('page: %s', (text, found) => expect(readAnswer(MARK, text)).toEqual(found))

  it('is nothing where it cannot be read', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const ask of [WEBFINGER, LOOKUP, MARK]) {
          expect(readAnswer(ask, text).every((url) => /^https?:/.test(url))).toBe(true)
        }
      }),
    )
  })
})
