import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HeadwaterError } from '../runtime/errors.ts'
import { textAsHtml } from './html-text.ts'
import { letterItem } from './letter-item.ts'
import { letterShapeOf, shapeProblem } from './letter-shape.ts'
import { readListHeaders } from './list-headers.ts'
import { headersOf, localPartFrom, localPartIn, mailboxOf, sourceUrlFor } from './mailbox.ts'
import { RateLimit } from './rate-limit.ts'
import { readLetter } from './read-letter.ts'
import { isAllowedSender, normalSender } from './senders.ts'

describe('who may send', () => {
  it.each([
    ['news@example.org', ['news@example.org'], true],
    ['News@Example.ORG', ['news@example.org'], true],
    ['eve@example.org', ['news@example.org'], false],
    ['eve@example.org', ['@example.org'], true],
    ['eve@notexample.org', ['@example.org'], false],
    ['eve@sub.example.org', ['@example.org'], false],
    ['eve@example.org.evil.example', ['@example.org'], false],
    ['anybody@x.example', ['*'], true],
    ['anybody@x.example', [], false],
  ])('%s by %j: %s', (address, rules, isAllowed) => expect(isAllowedSender(address, rules)).toBe(isAllowed))

  it.each(['', 'nobody', 'a@b@c', 'a b@c.example', 'a@', 'x,y@z.example', '<a@b.example>'])('"%s" is refused', (text) =>
    expect(() => normalSender(text)).toThrow(HeadwaterError),
  )
})

describe('an address', () => {
  it('is found again whatever capitals it comes in, and is not in the address of its source', () => {
    const localPart = localPartFrom('secret')
    expect(localPartIn(`${localPart.toUpperCase()}@Letters.Example`, 'letters.example')).toBe(localPart)
    expect(localPartIn(`${localPart}@other.example`, 'letters.example')).toBeNull()
    expect(localPartIn(localPart, 'letters.example')).toBeNull()
    expect(sourceUrlFor(localPart)).toMatch(/^letters:[0-9a-f]{40}$/)
    expect(sourceUrlFor(localPart)).not.toContain(localPart)
  })

  it('is stored with those who may send', () => {
    const mailbox = { localPart: 'abc', senders: ['a@b.example', '@c.example'] }
    expect(mailboxOf({ headers: headersOf(mailbox) })).toEqual(mailbox)
    expect(mailboxOf({ headers: headersOf({ localPart: null, senders: [] }) })).toEqual({
      localPart: null,
      senders: [],
    })
  })
})

describe('headers of lists', () => {
  it.each([
    ['<mailto:a@b.example>, <https://b.example/leave>', 'https://b.example/leave'],
    ['<mailto:a@b.example?subject=leave>', 'mailto:a@b.example?subject=leave'],
    ['<javascript:alert(1)>', null],
    ['https://not.in.brackets.example/', null],
    ['<https://', null],
  ])('%s is left by %s', (value, url) => {
    const header = (name: string) => (name === 'list-unsubscribe' ? value : null)
    expect(readListHeaders(header).unsubscribeUrl).toBe(url)
  })
})

describe('plain text', () => {
  it.each([
    ['a\n\n\n b\r\nc', '<p>a</p>\n<p>b<br>c</p>'],
    [
      'see https://a.example/x?y=1&z=2, or (https://b.example).',
      '<p>see <a href="https://a.example/x?y=1&amp;z=2">https://a.example/x?y=1&amp;z=2</a>, or (<a href="https://b.example">https://b.example</a>).</p>',
    ],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    [' \n ', ''],
  ])('%j', (text, html) => expect(textAsHtml(text)).toBe(html))
})

describe('how often', () => {
  it('is counted for each by itself, and begins anew', () => {
    const window = new RateLimit(2, 1_000)
    expect([1, 2, 3].map((at) => window.take('a', at))).toEqual([true, true, false])
    expect(window.take('b', 3)).toBe(true)
    expect(window.take('a', 1_002)).toBe(true)
    // The clock was set back by a day.
    expect(window.take('a', -86_400_000)).toBe(true)
  })

  it('is remembered of ten thousand at most', () => {
    const window = new RateLimit(1, 1_000)
    for (let k = 0; k < 10_001; k++) window.take(String(k), 0)
    expect(window.take('0', 1)).toBe(true)
    expect(window.take('10000', 1)).toBe(false)
  })
})

describe('a letter of any shape', () => {
  const part = (type: string, body: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`

  it('is counted before it is opened', () => {
    const raw = Buffer.from(
      `Content-Type: multipart/mixed; boundary="b"\r\n\r\n${part('text/plain', '--bb\r\n-- b')}${part('message/rfc822', 'x')}--b--`,
    )
    expect(letterShapeOf(raw)).toEqual({ headerBytes: 43, multiparts: 1, messages: 1, parts: 2 })
    expect(shapeProblem({ headerBytes: 0, multiparts: 0, messages: 0, parts: 201 })).toBe('201 parts, more than 200')
  })

  it('is read, or refused with a code, and never anything else', async () => {
    const line = fc.oneof(
      fc.constantFrom(
        ...['From: a@b.example', 'From: =?x?Q?=FF?= <a@b>', 'Date: never', 'Date: Thu, 1 Jan 1970 00:00:00 GMT', ''],
        ...['Subject: =?utf-8?B?////?=', 'Subject: =?iso-2022-jp?B?GyRC?=', 'Message-ID: <<>>', 'MIME-Version: 1.0'],
        ...['Content-Type: multipart/mixed; boundary=b', 'Content-Type: text/html; charset=utf-7', '--b', '--b--'],
        ...['Content-Type: message/rfc822', 'Content-Transfer-Encoding: base64', '====', '=3D=', '=ZZ', '<img hidden>'],
        ...["Content-Disposition: attachment; filename*0*=utf-8''%ZZ", 'Content-Type: text/plain; format=flowed'],
        ...['Content-Transfer-Encoding: quoted-printable', 'Content-ID: <x>', 'List-Unsubscribe: <', '\t folded', '.'],
      ),
      fc.string({ maxLength: 30 }),
    )
    const letter = fc.oneof(
      fc.array(line, { maxLength: 25 }).map((lines) => Buffer.from(lines.join('\r\n'))),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    )
    await fc.assert(
      fc.asyncProperty(letter, async (raw) => {
        try {
          const item = letterItem(await readLetter(raw))
          expect(item.id).toMatch(/^(?:mid:|urn:headwater:letter:)./)
          expect(letterItem(await readLetter(raw))).toEqual(item)
        } catch (error) {
          if (!(error instanceof HeadwaterError)) throw error
          expect(error.code).toMatch(/^LETTER_/)
        }
      }),
      { numRuns: 150 },
    )
  })
})
