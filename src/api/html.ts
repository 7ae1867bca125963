import { createHash } from 'node:crypto'

/** HTML that is safe to put into HTML. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | null | readonly Html[]

/** `html\`<b>${name}</b>\`` escapes every value that is not HTML itself. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return { html: String.raw({ raw: strings }, ...values.map(partText)) }
}

function partText(value: Part): string {
  if (value === null) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'html' in value ? value.html : value.map((part) => part.html).join('')
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** The tokens of the dashboard (web/styles/tokens.css), for pages without a script. */
const STYLE = `
:root{color-scheme:light dark;--bg:light-dark(#f5f7f6,#0e1514);--surface:light-dark(#fff,#151e1d);
--sunken:light-dark(#edf1f0,#1c2726);--line:light-dark(#dee5e3,#273331);--ink:light-dark(#14201e,#e7eeec);
--soft:light-dark(#566460,#9aaaa6);--link:light-dark(#0a5f65,#7fd4d7);--bad:light-dark(#b0281f,#ff9a90);
--accent:light-dark(#0b6a70,#63c8cc)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 "Inter Variable",system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
header{border-bottom:1px solid var(--line);background:var(--surface)}
header a{display:inline-flex;gap:8px;align-items:center;min-height:56px;color:var(--ink);font-weight:680;text-decoration:none}
header svg{width:26px;height:26px}header rect{fill:#0b6b75}header path{fill:none;stroke:#fff;stroke-width:2.6;stroke-linecap:round}
header>*,main{display:flow-root;max-width:1288px;margin:0 auto;padding:0 24px}
main{padding-block:32px 48px}
h1{font-size:28px;line-height:1.2;letter-spacing:-.015em;font-weight:680;margin:0}
h2{font-size:17px;line-height:1.3;font-weight:650;margin:32px 0 8px}
p{margin:8px 0}a{color:var(--link);text-underline-offset:3px;text-decoration-thickness:1px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:6px}
.soft{color:var(--soft)}.bad{color:var(--bad)}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin:8px 0 16px}
.scroll{overflow-x:auto;padding:0 24px;border:1px solid var(--line);border-radius:14px;background:var(--surface)}
table{border-collapse:collapse;width:100%}
th,td{text-align:start;padding:8px 12px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
th{font-weight:600;font-size:13px;color:var(--soft)}.short{white-space:nowrap}.short a{margin-inline-end:8px}
details{padding:8px 16px;border:1px solid var(--line);border-bottom:0;background:var(--surface)}
h2+details{border-radius:14px 14px 0 0}details:last-of-type{border-bottom:1px solid var(--line)}
summary{cursor:pointer;overflow-wrap:anywhere}code,pre{font:13px ui-monospace,"SF Mono",Menlo,Consolas,monospace}
pre{overflow:auto;max-height:24rem;padding:12px;border-radius:6px;background:var(--sunken)}
@media(max-width:46rem){header>*,main{padding-inline:16px}.scroll{padding:0 16px}h1{font-size:24px}
.feeds thead{display:none}.feeds tr{display:grid;grid-template-columns:minmax(0,1fr) auto;align-items:center;padding-block:8px;border-bottom:1px solid var(--line)}
.feeds tr:last-child{border:0}.feeds td{padding:0;border:0}.feeds td:first-child{grid-column:1/-1}.feeds td:nth-child(2){font-size:13px}
.feeds .short a{display:inline-block;padding:6px 4px;margin:0}}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** No scripts, nothing from elsewhere, not inside other pages; only this one style. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** `home`: from this page to the overview; relative, since a proxy may have the node below a path. */
export function htmlPage(title: string, head: Html, body: Html, home: './' | '../' = './', language = 'en'): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: STYLE }}</style>
${head}
</head>
<body>
<header><div><a href="${home}"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="M7 9c4.5 0 4.5 4 9 4s4.5-4 9-4M7 16c4.5 0 4.5 4 9 4s4.5-4 9-4M7 23c4.5 0 4.5 4 9 4"/></svg>Headwater</a></div></header>
<main>
${body}
</main>
</body>
</html>
`.html
}
