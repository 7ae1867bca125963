import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { sanitizeHtml } from './sanitize.ts'
import { isPlainlyHarmless } from './sanitize-grammar.ts'

/**
 * An independent judge: walks the result with another parser and its own short lists, and says what could run, load a
 * document, take input or leave its box.
 */
function faults(html: string): string[] {
  const found: string[] = []
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (!JUDGE_TAGS.has(tag)) found.push(`tag ${tag}`)
        for (const [name, value] of Object.entries(attributes)) {
          if (/^on|^(id|name|formaction|srcdoc|data.*|xmlns.*|background|ping|autoplay|is|slot)$/i.test(name))
            found.push(`${tag} ${name}`)
          if (name === 'style' && /[\\@]|url|expression|javascript|behaviou?r|binding|position|\/\*/i.test(value))
            found.push(value)
          if (/^(href|src|cite|poster|action|longdesc|xlink:href)$/.test(name)) judgeUrl(value, tag, found)
          if (name === 'srcset') for (const part of value.split(/,\s+/)) judgeUrl(part, tag, found)
        }
      },
      oncomment: () => found.push('comment'),
      onprocessinginstruction: (name) => found.push(`instruction ${name}`),
      oncdatastart: () => found.push('cdata'),
    },
    { decodeEntities: true, recognizeCDATA: true },
  )
  parser.end(html)
  return found
}

const JUDGE_TAGS = new Set(
  `a abbr acronym address article aside audio b bdi bdo big blockquote br caption center cite code col colgroup dd del
  details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol
  p picture pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td tfoot th
  thead time tr track tt u ul var video wbr`.split(/\s+/),
)

function judgeUrl(value: string, tag: string, found: string[]) {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value.replace(/[\x00-\x20\x7f-\x9f]/g, ''))?.[1]?.toLowerCase()
  if (scheme === undefined || /^(https?|mailto|tel|ftp)$/.test(scheme)) return
  if (tag === 'img' && /^data:image\/(png|gif|jpeg|jpg|webp);base64,/i.test(value)) return
  found.push(`${tag} ${value}`)
}

describe('harmless HTML comes back as it is', () => {
  it.each([
    '',
    'plain text, 5 > 3 & more',
    '<p>Hello <b>world</b></p>',
    '<p>A &amp; B &lt;script&gt; &eacute; &#x3c;</p>',
    '<a href="https://example.org/?a=1&amp;b=2" title="It\'s &quot;it&quot;">x</a>',
    "<a href='http://example.org/' rel='nofollow noopener' target='_blank'>x</a>",
    '<a href="mailto:a@example.org">x</a>',
    '<img src="https://example.org/a.png" alt="A" width="10" height="20"/>',
    '<img src="https://example.org/a.png" srcset="https://example.org/b.png 2x, https://example.org/c.png 300w">',
    '<br><br/><br /><hr>',
    '<table border="1"><tr><td colspan="2" align="left">1</td></tr></table>',
    '<p style="text-align: center; color: #fff;margin:0 auto">x</p>',
    '<div class="wp-block language-js"><pre><code>x</code></pre></div>',
    '<video controls src="https://example.org/v.mp4" poster="https://example.org/p.png"></video>',
    '<p\n  lang="de">ß</p>',
    '<div style="display:none"><a href="https://example.org/" target="_self">x</a></div>',
  ])('%s', (html) => {
    expect(sanitizeHtml(html, 'https://example.org/post')).toBe(html)
    expect(faults(html)).toEqual([])
  })
})

describe('what is repaired', () => {
  it.each([
    ['<p>one<script>alert(1)</script>two</p>', '<p>onetwo</p>'],
    ['<p onclick="x()">a</p>', '<p>a</p>'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="JaVaScRiPt:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="java&#x09;script:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="java\nscript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href=" &#14; javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="&#106;avascript&colon;alert(1)">a</a>', '<a>a</a>'],
    ['<a href="vbscript:x">a</a>', '<a>a</a>'],
    ['<a href="data:text/html,<script>alert(1)</script>">a</a>', '<a>a</a>'],
    ['<img src="data:image/svg+xml;base64,PHN2Zz4=">', ''],
    ['<img src="data:image/gif;base64,R0lGODlh">', '<img src="data:image/gif;base64,R0lGODlh" />'],
    ['<p>one<!-- hidden -->two</p>', '<p>onetwo</p>'],
    ['<iframe src="https://example.org/"></iframe>x', '<a href="https://example.org/">example.org</a>x'],
    [
      '<iframe src="//v.example.org/embed/7?a=1">Your browser is old</iframe>x',
      '<a href="//v.example.org/embed/7?a=1">v.example.org/embed/7</a>x',
    ],
    ['<embed src="https://example.org/m.swf">x', '<a href="https://example.org/m.swf">example.org/m.swf</a>x'],
    ['<iframe src="javascript:alert(1)"></iframe><iframe srcdoc="<p>"></iframe><iframe></iframe>x', 'x'],
    ['<object data="data:text/html,x"><p>old</p></object>', '<p>old</p>'],
    [
      '<p>a</p><iframe src="https://v.example/1" />b<p>c</p>',
      '<p>a</p><a href="https://v.example/1">v.example/1</a>b<p>c</p>',
    ],
    ['a<iframe src="https://v.example/1">b <i>c</i>', 'a<a href="https://v.example/1">v.example/1</a>b <i>c</i>'],
    [
      '<iframe src="https://v.example/1">b<iframe src="https://v.example/2">c',
      '<a href="https://v.example/1">v.example/1</a>b<a href="https://v.example/2">v.example/2</a>c',
    ],
    [
      '<iframe src="https://v.example/1">old <a href="/x">x</a></iframe>y',
      '<a href="https://v.example/1">v.example/1</a>y',
    ],
    [
      '<iframe src="about:blank" data-src="https://v.example/1"></iframe>',
      '<a href="https://v.example/1">v.example/1</a>',
    ],
    [
      '<iframe title="My <b>talk" src="https://v.example/1"></iframe>',
      '<a href="https://v.example/1">My &lt;b&gt;talk</a>',
    ],
    ['<IFRAME SRC=https://v.example/1></IFRAME>x', '<a href="https://v.example/1">v.example/1</a>x'],
    ['<iframe src="/map"></iframe>', '<a href="/map">/map</a>'],
    ['<frame src="https://v.example/1">x', '<a href="https://v.example/1">v.example/1</a>x'],
    [
      '<object data="https://v.example/a"><param name="movie" value="https://v.example/b"><embed src="https://v.example/c"><p>old</p></object>',
      '<a href="https://v.example/a">v.example/a</a><p>old</p>',
    ],
    [
      '<object><param name="Movie" value="https://v.example/b"></object>x',
      '<a href="https://v.example/b">v.example/b</a>x',
    ],
    ['<object><embed src="https://v.example/c"></embed></object>x', '<a href="https://v.example/c">v.example/c</a>x'],
    ['<embed src="https://v.example/a?b=1&amp;c=2"/>x', '<a href="https://v.example/a?b=1&amp;c=2">v.example/a</a>x'],
    [
      '<iframe src="&quot;><script>alert(1)</script>"></iframe>',
      '<a href="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">/%22%3E%3Cscript%3Ealert(1)%3C/script%3E</a>',
    ],
    ['<p>x <math><msup><mi>a</mi><mn>2</mn></msup></math> y</p>', '<p>x a2 y</p>'],
    ['<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mi>x</m:mi></m:math>', 'x'],
    ['<math href="javascript:alert(1)"><mtext>if <script>x</script></mtext><mi>b</mi></math>', 'if b'],
    [
      '<math><mi>x</mi><mo>=</mo><mn>2</mn><semantics><annotation encoding="TeX">x=2</annotation></semantics></math>',
      'x=2',
    ],
    ['<p style="background:url(javascript:x);color:red">a</p>', '<p style="color:red">a</p>'],
    ['<p style="width:expression(alert(1))">a</p>', '<p>a</p>'],
    ['<p style="position:fixed;top:0">a</p>', '<p>a</p>'],
    ['<p style="margin:-999px">a</p>', '<p>a</p>'],
    ['<P ALIGN=center>a</P>', '<p align="center">a</p>'],
    ['<p>one<p>two', '<p>one</p><p>two</p>'],
    ['a < b', 'a &lt; b'],
    ['<form><input name="password">Text</form>', 'Text'],
    ['<noscript><img src="https://example.org/a.png"></noscript>', '<img src="https://example.org/a.png" />'],
    ['<h2 id="config">x</h2>', '<h2>x</h2>'],
    ['<a target="_top" href="https://example.org/">x</a>', '<a href="https://example.org/">x</a>'],
    ['<p><![CDATA[<script>alert(1)</script>]]></p>', '<p></p>'],
  ])('%s', (html, expected) => {
    const result = sanitizeHtml(html)
    expect(faults(result)).toEqual([])
    expect(result).toBe(expected)
  })
})

describe('addresses', () => {
  const base = 'https://example.org/blog/post.html'
  it.each([
    ['<a href="/about">x</a>', '<a href="https://example.org/about">x</a>'],
    ['<a href="#note">x</a>', '<a href="https://example.org/blog/post.html#note">x</a>'],
    ['<a href="next.html">x</a>', '<a href="https://example.org/blog/next.html">x</a>'],
    ['<img src="//cdn.example.org/a.png"/>', '<img src="https://cdn.example.org/a.png" />'],
    ['<blockquote cite="../x">y</blockquote>', '<blockquote cite="https://example.org/x">y</blockquote>'],
    [
      '<img src="a.png" srcset="a.png 1x, b,c.png 2x,javascript:x 3x, /d.png"/>',
      '<img src="https://example.org/blog/a.png" srcset="https://example.org/blog/a.png 1x, https://example.org/blog/b,c.png 2x, https://example.org/d.png" />',
    ],
  ])('are resolved: %s', (html, expected) => expect(sanitizeHtml(html, base)).toBe(expected))

  it('stay relative without a base', () => {
    for (const html of [
      '<a href="/about">x</a>',
      '<a href="#n">x</a>',
      '<a href="next.html">x</a>',
      '<a href="//e.org/">x</a>',
    ]) {
      expect(sanitizeHtml(html)).toBe(html)
      expect(sanitizeHtml(html, 'javascript:alert(1)')).toBe(html)
    }
  })
})

/** Patterns by which sanitisers have been fooled: parser differences, mutation, broken syntax. */
const ATTACKS = [
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<p title="</noscript><img src=x onerror=alert(1)>">x</p>',
  '<textarea><p title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<title><p title="</title><img src=x onerror=alert(1)>"></title>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<!--><script>alert(1)</script>-->',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<<script>alert(1)//<</script>',
  '<img src="x"onerror="alert(1)">',
  '<img/src="x"/onerror=alert(1)>',
  '<img src=x onerror\n=\nalert(1)>',
  '<img src="`x` `<script>alert(1)</script>`">',
  '<a href="https://x" onmouseover="alert(1)">x</a>',
  '<a href="https://x"\u000bonmouseover="alert(1)">x</a>',
  "<a href='https://x'onmouseover=alert(1)>x</a>",
  '<p class="a" class="b" onclick=alert(1)>',
  '<p/onclick=alert(1)>',
  '<p style="color:red;&#98;ackground:url(javascript:alert(1))">x</p>',
  '<p style="color:r\\65 d;behavior:url(x)">x</p>',
  '<p style="color:/*x*/red;background:url(//e)">x</p>',
  '<base href="javascript:alert(1)//"><a href="x">x</a>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href=//e>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror="alert(1)"></video>',
  '<a xlink:href="javascript:alert(1)">x</a>',
  '<svg><a xlink:href="javascript:alert(1)"><text y="1em">x</text></a></svg>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<template><script>alert(1)</script></template>',
  '<select><template><img src=x onerror=alert(1)></template></select>',
  '<a href="https&colon;//x">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="javascript&NewLine;:alert(1)">x</a>',
  '<a href="j&Tab;avascript:alert(1)">x</a>',
  '<img srcset="javascript:alert(1) 1x, data:text/html;base64,xx 2x">',
  '<?xml-stylesheet href="javascript:alert(1)"?><p>x</p>',
  '<p>x</p\u0000><script>alert(1)</script>',
  '<scri\u0000pt>alert(1)</scri\u0000pt>',
  '<plaintext><script>alert(1)</script>',
  '<listing>&lt;img src=x onerror=alert(1)&gt;</listing>',
  '</p><script>alert(1)</script>',
  '<table><td><script>alert(1)</script>',
  '<a href="x" href="javascript:alert(1)">x</a>',
  '<img src="https://x" alt="a>b" onerror="alert(1)">',
]

describe('attacks', () => {
  it.each(ATTACKS)('%s', (html) => {
    for (const base of [null, 'https://example.org/']) {
      const result = sanitizeHtml(html, base)
      expect(faults(result)).toEqual([])
      expect(sanitizeHtml(result, base)).toBe(result)
    }
  })
})

describe('properties', () => {
  const pieces = fc.constantFrom(
    ...ATTACKS.flatMap((attack) => attack.split(/(?=[<>"'= ])/)),
    ...[
      '<p>',
      '</p>',
      '<b',
      '</b>',
      '<br/>',
      '<img src="https://e.org/x" ',
      'alt="',
      '"',
      "'",
      '>',
      ' ',
      '<!--',
      '-->',
      '&#x3c;',
    ],
    ...[
      '<a href="',
      'https://e.org/',
      'java',
      'script:',
      '&#58;',
      '\t',
      '\0',
      "<a href='",
      'onload',
      '=',
      '`',
      '<svg>',
      '/',
    ],
  )
  const soup = fc.array(pieces, { maxLength: 30 }).map((list) => list.join(''))

  it('leaves nothing unsafe, and finds nothing more to do the second time', () => {
    fc.assert(
      fc.property(
        fc.oneof(soup, fc.string({ unit: 'binary' })),
        fc.constantFrom(null, 'https://example.org/a/'),
        (html, base) => {
          const result = sanitizeHtml(html, base)
          expect(faults(result)).toEqual([])
          expect(faults(sanitizeHtml(result, base))).toEqual([])
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('accepts as harmless only what the judge accepts', () => {
    const tag = fc.constantFrom('p', 'b', 'a', 'img', 'br', 'script', 'svg', 'style', 'P', 'p/', 'a\0', 'div')
    const name = fc.constantFrom('href', 'src', 'title', 'style', 'onclick', 'class', 'srcset', 'id', 'cite', 'target')
    const value = fc.constantFrom(
      ...['https://e.org/', 'javascript:x', '&#106;avascript:x', '/x', '//e', 'a"b', "a'b", '<', '>', 'color:red'],
      ...['color:url(x)', '_blank', '`', 'https://e.org/ 2x', 'data:text/html,x', '\\\\e', '#', '?', ' javascript:x'],
    )
    const quote = fc.constantFrom('"', "'", '')
    const attribute = fc.tuple(name, quote, value).map(([n, q, v]) => ` ${n}=${q}${v}${q}`)
    const element = fc
      .tuple(tag, fc.array(attribute, { maxLength: 3 }), fc.constantFrom('', 'x', '<b>y</b>', '<!---->'))
      .map(([t, list, inner]) =>
        t === 'img' || t === 'br' ? `<${t}${list.join('')}>` : `<${t}${list.join('')}>${inner}</${t}>`,
      )
    fc.assert(
      fc.property(fc.array(element, { maxLength: 3 }), (list) => {
        const html = list.join('')
        if (isPlainlyHarmless(html, true)) expect(faults(html)).toEqual([])
      }),
      { numRuns: 5000 },
    )
  })
})

describe('limits', () => {
  it.each([
    ['deep nesting', '<div>'.repeat(50_000)],
    ['deep nesting, closed', '<b>'.repeat(50_000) + '</b>'.repeat(50_000)],
    ['unclosed paragraphs', '<p>'.repeat(50_000)],
    ['closing what was never opened', '<div>'.repeat(900) + '</i>'.repeat(50_000)],
    ['deep script', `${'<div>'.repeat(5_000)}<script>alert(1)</script>`],
    ['deep, with closings that close nothing', '<div title="</div>"></i>'.repeat(30_000)],
    ['deep within what is dropped', `<svg>${'<g>'.repeat(50_000)}`],
    ['many openings', '<'.repeat(100_000)],
    ['an attribute that never ends', `<a href="${'x'.repeat(500_000)}`],
    ['many attributes', `<p${' class="x"'.repeat(50_000)} onclick="y">z</p>`],
    ['a long style', `<p style="${'color:red;'.repeat(20_000)}x:y">z</p>`],
    ['a long srcset', `<img srcset="${'https://e.org/a '.repeat(20_000)}">`],
    ['quotes', `<p title='${'"'.repeat(100_000)}' x>`],
  ])('linear time: %s', (_, html) => {
    const startedAt = process.cpuUsage().user
    expect(faults(sanitizeHtml(html, 'https://example.org/'))).toEqual([])
    expect((process.cpuUsage().user - startedAt) / 1000).toBeLessThan(1_000)
  })
})

const SANITIZE = new URL('../../../shared/corpora/feedparser/tests/wellformed/sanitize/', import.meta.url)

describe.skipIf(!existsSync(SANITIZE))(
  'feedparser corpus, sanitize/ (skipped where ../shared/corpora is absent)',
  () => {
    it('leaves nothing unsafe in any element of any document', () => {
      const names = existsSync(SANITIZE) ? readdirSync(SANITIZE).filter((name) => name.endsWith('.xml')) : []
      expect(names.length).toBeGreaterThan(300)
      for (const name of names) {
        const document = readFileSync(new URL(name, SANITIZE), 'utf8')
        for (const text of [document, ...elementTexts(document)]) {
          expect(faults(sanitizeHtml(text, 'https://example.org/')), `${name}: ${text}`).toEqual([])
        }
      }
    })
  },
)

function elementTexts(document: string): string[] {
  const texts: string[] = []
  let current = ''
  const parser = new Parser(
    {
      ontext: (text) => {
        current += text
      },
      onclosetag: () => {
        texts.push(current)
        current = ''
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(document)
  return texts.filter((text) => text.includes('<'))
}
