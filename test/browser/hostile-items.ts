/** Content that tries to run, to call home, to cover the page or to fill it. Each calls `pwned()` if it can. */
export const HOSTILE: Readonly<Record<string, string>> = {
  script: '<script>pwned("script")</script>',
  'script in capitals': '<SCRIPT>pwned()</SCRIPT>',
  'script that is not closed': '<script>pwned()',
  'script in a script': '<scr<script>ipt>pwned()</scr</script>ipt>',
  'script with an address': '<script src="//evil.localhost/x.js"></script>',
  'module script': '<script type="module">pwned()</script>',
  'image that fails': '<img src="http://evil.localhost/none.png" onerror="pwned()">',
  'image without quotes': '<img src=x onerror=pwned()>',
  'image with slashes': '<img/src="x"/onerror=pwned()>',
  'image with a broken attribute': '<img """><script>pwned()</script>">',
  'image with a tab in the handler': '<img src=x on\terror=pwned() onload\n=pwned()>',
  'load of the body': '<body onload=pwned()>',
  'focus by itself': '<input autofocus onfocus=pwned()><textarea autofocus onfocus=pwned()></textarea>',
  'details that toggle': '<details open ontoggle=pwned()><summary>open</summary></details>',
  'marquee that starts': '<marquee onstart=pwned()>x</marquee>',
  'pointer over': '<p onmouseover="pwned()" onpointerenter="pwned()">over me</p>',
  'animation that ends': '<style>@keyframes x{}</style><p style="animation-name:x" onanimationend="pwned()">x</p>',
  'link to a program': '<a href="javascript:pwned()">link</a>',
  'link to a program in capitals': '<a href="JaVaScRiPt:pwned()">link</a>',
  'link to a program with entities': '<a href="&#106;&#97;vascript&colon;pwned()">link</a>',
  'link to a program with control characters': '<a href="\u0001java\nscript:pwned()">link</a>',
  'link to a document of its own': '<a href="data:text/html,<script>pwned()</script>">link</a>',
  'link to vbscript': '<a href="vbscript:pwned()">link</a>',
  'link that opens the opener': '<a href="http://evil.localhost/" target="_self" rel="opener">link</a>',
  'form of its own': '<form action="javascript:pwned()"><button>go</button></form>',
  'button with an action': '<button formaction="javascript:pwned()">go</button>',
  'frame with a document': '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
  'frame with a program': '<iframe src="javascript:parent.pwned()"></iframe>',
  'object with a program': '<object data="javascript:pwned()"></object><embed src="javascript:pwned()">',
  'SVG that loads': '<svg onload=pwned()><circle r="10"/></svg>',
  'SVG with a script': '<svg><script>pwned()</script></svg>',
  'SVG that animates a link':
    '<svg><a><animate attributeName=href values=javascript:pwned() /><text x=20 y=20>x</text></a></svg>',
  'SVG with a foreign object': '<svg><foreignObject><img src=x onerror=pwned()></foreignObject></svg>',
  'SVG as an image of its own':
    "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='pwned()'/>\">",
  'MathML with a link': '<math><maction actiontype="statusline" xlink:href="javascript:pwned()">x</maction></math>',
  'markup that changes when it is written anew':
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=pwned()&gt;">',
  'markup hidden in noscript': '<noscript><p title="</noscript><img src=x onerror=pwned()>"></noscript>',
  'markup hidden in a comment': '<!--><img src=x onerror=pwned()>-->',
  'conditional comment': '<!--[if gte IE 4]><script>pwned()</script><![endif]-->',
  'markup in CDATA': '<![CDATA[<script>pwned()</script>]]>',
  'template with a script': '<template><script>pwned()</script></template>',
  'base for all addresses': '<base href="http://evil.localhost/"><a href="/x">x</a>',
  'refresh of the page': '<meta http-equiv="refresh" content="0;url=http://evil.localhost/">',
  'sheet of a stranger': '<link rel="stylesheet" href="http://evil.localhost/x.css">',
  'import of a sheet': '<style>@import "http://evil.localhost/x.css"; body{display:none}</style>',
  'cover over the page': '<div style="position:fixed;inset:0;z-index:99999;background:red">cover</div>',
  'expression in a style': '<p style="width:expression(pwned());behavior:url(x)">x</p>',
  'background that calls home': '<p style="background:url(http://evil.localhost/track)">x</p>',
  'classes of the page': '<div class="gate topbar" id="root">x</div>',
  'name that covers a global':
    '<img name="cookie"><form name="location"></form><a id="pwned" href="http://evil.localhost/">x</a>',
  'huge image': '<img src="http://evil.localhost/huge.png" width="100000" height="100000" style="width:99999px">',
  'very wide table': `<table width="99999"><tr>${'<td colspan="9999">x</td>'.repeat(20)}</tr></table>`,
  'very deep markup': `${'<div>'.repeat(3_000)}deep${'</div>'.repeat(3_000)}`,
  'one long word': 'x'.repeat(20_000),
  'audio that plays': '<audio autoplay src="http://evil.localhost/a.mp3" onloadstart=pwned()></audio>',
  'video with a source': '<video autoplay><source onerror="pwned()" src=x></video>',
  'custom element': '<x-pwned onclick="pwned()" tabindex="1" autofocus onfocus="pwned()">x</x-pwned>',
  'isindex and keygen': '<isindex action=javascript:pwned() type=image><keygen autofocus onfocus=pwned()>',
  'content that can be edited': '<div contenteditable autofocus onfocus=pwned() onbeforeinput=pwned()>x</div>',
  'popover that opens': '<button popovertarget=x>x</button><div popover id=x onbeforetoggle=pwned()>x</div>',
}

/** Everything of an item may be hostile, not its content alone. */
export function hostileFeed(): string {
  const items = Object.entries(HOSTILE).map(([name, html], i) => {
    const bad = `<script>pwned("${i}")</script>`
    const link = i % 2 === 0 ? `http://evil.localhost/${i}` : `javascript:pwned(${i})`
    return `<item><guid isPermaLink="false">hostile-${i}</guid><title>${escaped(`${name} <img src=x onerror=pwned()>`)}</title>
<link>${escaped(link)}</link><author>${escaped(bad)}</author><category>${escaped(bad)}</category>
<comments>javascript:pwned()</comments><enclosure url="javascript:pwned()" type="text/html" length="1"/>
<description>${escaped(html)}</description><pubDate>${new Date(Date.UTC(2026, 0, 1, 0, i)).toUTCString()}</pubDate></item>`
  })
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>
<title>${escaped('Evil <script>pwned()</script><img src=x onerror=pwned()>')}</title><link>javascript:pwned()</link>
<description>x</description>${items.join('\n')}</channel></rss>`
}

function escaped(text: string): string {
  // XML 1.0 has no other control characters.
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
  return allowed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
