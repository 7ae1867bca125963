import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decodeDocument } from './charset.ts'

const utf8 = (text: string) => Buffer.from(text, 'utf8')
const codes = (bytes: Uint8Array, contentType: string | null) =>
  decodeDocument(bytes, contentType).problems.map((problem) => problem.code)

describe('which charset is believed', () => {
  const é = '<?xml version="1.0"?><t>é</t>'
  const xml = (encoding: string, text = 'é') => `<?xml version="1.0" encoding="${encoding}"?><t>${text}</t>`
  const table: [string, Uint8Array, string | null, string, string, string[]][] = [
    ['nothing said, UTF-8', utf8(é), null, 'utf-8', 'é', []],
    ['nothing said, ASCII', utf8('<t>e</t>'), null, 'utf-8', 'e', []],
    ['text/xml alone is US-ASCII (RFC 3023)', utf8('<t>e</t>'), 'text/xml', 'us-ascii', 'e', []],
    ['text/xml alone, but UTF-8', utf8(é), 'text/xml', 'utf-8', 'é', ['charset-mismatch']],
    ['application/xml alone is UTF-8', utf8(é), 'application/xml', 'utf-8', 'é', []],
    ['XML declaration', iconv.encode(xml('iso-8859-1'), 'latin1'), 'application/xml', 'iso-8859-1', 'é', []],
    ['upper case declaration', iconv.encode(xml('KOI8-R', 'Я'), 'koi8-r'), null, 'koi8-r', 'Я', []],
    [
      'the header wins over the declaration',
      iconv.encode(xml('koi8-r', 'Я'), 'windows-1251'),
      'text/xml; charset=windows-1251',
      'windows-1251',
      'Я',
      [],
    ],
    ['a mark wins over the header', utf8(`\ufeff${é}`), 'text/xml; charset=koi8-r', 'utf-8', 'é', []],
    ['a wrong header, valid UTF-8', utf8(é), 'text/xml; charset=ISO-8859-1', 'utf-8', 'é', ['charset-mismatch']],
    ['a wrong declaration, valid UTF-8', utf8(xml('windows-1252')), null, 'utf-8', 'é', ['charset-mismatch']],
    [
      'declared UTF-8, windows-1252',
      iconv.encode(xml('utf-8'), 'latin1'),
      null,
      'windows-1252',
      'é',
      ['charset-mismatch'],
    ],
    ['GBK that is valid UTF-8 by accident', iconv.encode(xml('gbk', '联通'), 'gbk'), null, 'gb18030', '联通', []],
    ['declared GBK, but UTF-8', utf8(xml('gbk', '“年”')), null, 'utf-8', '“年”', ['charset-mismatch']],
    ['unknown charset', utf8(xml('bogus')), null, 'utf-8', 'é', ['unknown-charset']],
    ['unknown in the header', utf8(é), 'text/xml; charset=none', 'utf-8', 'é', ['unknown-charset', 'charset-mismatch']],
    [
      'windows-1252 quotes as ISO 8859-1',
      iconv.encode(xml('iso-8859-1', '“x”'), 'win1252'),
      null,
      'iso-8859-1',
      '“x”',
      [],
    ],
    ['declared UTF-16 in one-byte text', utf8(xml('utf-16')), null, 'utf-8', 'é', ['charset-mismatch']],
    ['spaces and quotes in the header', utf8(é), "application/xml ; charset = 'UTF8'", 'utf-8', 'é', []],
    ['text/html', utf8(é), 'text/html; charset=utf-8', 'utf-8', 'é', ['content-type']],
    ['JSON', utf8('{"title":"é"}'), 'application/feed+json', 'utf-8', 'é', []],
    [
      'ISO-2022-JP hides in ASCII',
      Buffer.from(`${xml('iso-2022-jp', '\x1b$BF|K\\\x1b(B')}`),
      null,
      'iso-2022-jp',
      '日本',
      [],
    ],
    ['empty', new Uint8Array(), null, 'utf-8', '', []],
  ]
  it.each(table)('%s', (_, bytes, contentType, encoding, content, problems) => {
    const decoded = decodeDocument(bytes, contentType)
    expect(decoded.encoding).toBe(encoding)
    expect(decoded.text).toContain(content)
    expect(decoded.problems.map((problem) => problem.code)).toEqual(problems)
    expect(decoded.text.startsWith('\ufeff')).toBe(false)
  })

  it.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])('%s with and without mark', (charset) => {
    for (const text of ['<?xml version="1.0"?><t>é€𝄞</t>', '<rss>ж</rss>', '{"title":"é"}', '\n<rss/>']) {
      for (const addBOM of [true, false]) {
        const decoded = decodeDocument(iconv.encode(text, charset, { addBOM }), 'application/xml')
        expect(decoded).toEqual({ text, encoding: charset, problems: [] })
      }
    }
  })
})

describe('damaged UTF-8', () => {
  it('reads foreign bytes as windows-1252 and keeps the rest', () => {
    const bytes = Buffer.concat([
      utf8('“Grüße” '),
      Buffer.from([0x93, 0x45, 0x73, 0x70, 0x61, 0xf1, 0x61, 0x94]),
      utf8(' ж'),
    ])
    expect(decodeDocument(bytes, null)).toMatchObject({ text: '“Grüße” “España” ж', encoding: 'utf-8' })
    expect(codes(bytes, null)).toEqual(['invalid-bytes'])
  })

  it('drops a character cut off at the end', () => {
    const whole = utf8('Größe über €')
    for (const cut of [1, 2]) {
      expect(decodeDocument(whole.subarray(0, -cut), null)).toMatchObject({ text: 'Größe über ', encoding: 'utf-8' })
    }
  })
})

describe('guessing a charset that nobody names', () => {
  it.each([
    ['windows-1252', 'Les élèves français ont été très déçus à Noël; où est le garçon? “Voilà”, dit-elle: 5 €.'],
    ['windows-1252', 'Größe, Übermut, schöne Grüße aus München, süß. Über die Straße läuft ein Bär.'],
    ['windows-1252', '<title>España</title> mañana'],
    ['windows-1252', 'don’t “quote” …'],
    ['windows-1251', 'Новости'],
    ['koi8-r', 'Новости России и мира'],
    ['iso-8859-5', 'Новости России и мира сегодня'],
    ['windows-1253', 'Καλημέρα κόσμε, νέα από την Ελλάδα'],
    ['windows-1255', 'חדשות מישראל ומהעולם'],
    ['tis-620', 'ข่าวประเทศไทยวันนี้'],
    ['shift_jis', 'ニュース 日本の新聞です。'],
    ['euc-jp', 'ニュース 日本の新聞です。'],
    ['euc-kr', '한국의 뉴스와 날씨를 알려 드립니다'],
    ['gb18030', '中国新闻网今天报道,北京的天气很好'],
    ['big5', '台灣新聞網今天報導,台北的天氣很好'],
  ])('%s: %s', (charset, text) => {
    const document = `<rss><channel><title>${text}</title></channel></rss>`
    expect(decodeDocument(iconv.encode(document, charset), null)).toMatchObject({ text: document, encoding: charset })
  })
})

describe('properties', () => {
  it('reads back every UTF-8 text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (content) => {
        const text = `<t>${content}`
        const bytes = utf8(text)
        const decoded = decodeDocument(bytes, 'application/xml; charset=utf-8')
        expect(decoded).toEqual({ text: bytes.toString('utf8'), encoding: 'utf-8', problems: [], utf8: bytes })
      }),
    )
  })

  it('never throws, whatever the bytes and the header', () => {
    const charset = fc.constantFrom(
      'utf-8',
      'utf-16',
      'euc-jp',
      'big5',
      'iso-2022-jp',
      'gb18030',
      'utf-7',
      'x',
      'base64',
    )
    const header = fc.oneof(
      fc.constant(null),
      fc.string(),
      charset.map((name) => `text/xml; charset=${name}`),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), header, charset, (bytes, contentType, declared) => {
        const document = Buffer.concat([utf8(`<?xml version="1.0" encoding="${declared}"?>`), bytes])
        expect(typeof decodeDocument(document, contentType).text).toBe('string')
        expect(typeof decodeDocument(bytes, contentType).text).toBe('string')
      }),
      { numRuns: 500 },
    )
  })
})

const CORPUS = new URL('../../../../shared/corpora/feedparser/', import.meta.url)

interface Case {
  file: string
  headers?: [string, string][]
  clauses?: { path?: string[]; op?: string; value?: unknown }[]
}

describe.skipIf(!existsSync(CORPUS))('the feedparser corpus (skipped where ../shared/corpora is absent)', () => {
  const cases = existsSync(CORPUS)
    ? readFileSync(new URL('expect.jsonl', CORPUS), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Case)
    : []

  function decode(one: Case) {
    const header = one.headers?.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null
    return decodeDocument(readFileSync(new URL(one.file, CORPUS)), header)
  }

  it('meets every clause on the encoding', () => {
    const failures: string[] = []
    for (const one of cases) {
      for (const clause of one.clauses ?? []) {
        if (clause.path?.[0] !== 'encoding') continue
        // The corpus itself calls declared GB 2312 by its superset; only its guesser does not.
        const expected = String(clause.value).toLowerCase().replace('gb2312', 'gb18030')
        const { encoding } = decode(one)
        if (encoding !== expected) failures.push(`${one.file}: ${encoding} instead of ${expected}`)
      }
    }
    expect(failures).toEqual([])
  })

  it('finds no fault with documents that have none', () => {
    const failures: string[] = []
    for (const one of cases) {
      if (!one.clauses?.some((clause) => clause.path?.[0] === 'bozo' && clause.op === 'falsy')) continue
      const { problems } = decode(one)
      if (problems.length > 0) failures.push(`${one.file}: ${problems.map((problem) => problem.message).join('; ')}`)
    }
    expect(failures).toEqual([])
  })

  it('finds fault with charsets that do not hold', () => {
    const faulty = cases.filter((one) => /bozo_(bogus|http|invalid|linenoise)/.test(one.file))
    expect(faulty.length).toBeGreaterThan(5)
    for (const one of faulty) expect(decode(one).problems, one.file).not.toEqual([])
  })
})
