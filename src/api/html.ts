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

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d8dee4,#30363d);--soft:light-dark(#57606a,#9aa4ae);
--link:light-dark(#0b5cad,#6cb6ff);--bad:light-dark(#b42318,#ff8a80)}
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}a{color:var(--link)}
.soft{color:var(--soft)}.bad{color:var(--bad)}nav a{margin-right:1rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--soft)}td{overflow-wrap:anywhere}.short{white-space:nowrap;overflow-wrap:normal}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** No scripts, nothing from elsewhere, not inside other pages; only this one style. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function htmlPage(title: string, head: Html, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: STYLE }}</style>
${head}
</head>
<body>
${body}
</body>
</html>
`.html
}
