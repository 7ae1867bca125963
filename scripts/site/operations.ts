import { ALL_OPERATIONS } from '../../src/api/operations/index.ts'
import type { PageContent } from './page.ts'

const inHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Every operation of the API, from the table that its routes are made from. */
export function operationsPage(): PageContent & { readonly texts: readonly string[] } {
  const tags = [...new Set(ALL_OPERATIONS.map(({ tag }) => tag))]
  const headings = tags.map((tag) => ({ id: tag.toLowerCase().replaceAll(' ', '-'), level: 2, text: tag }))
  const parts = headings.map(({ id, text }) => operationsTagged(text, id))
  const texts = tags.map((tag) =>
    ALL_OPERATIONS.filter((one) => one.tag === tag)
      .map(({ method, path, summary }) => `${method} ${path} ${summary}`)
      .join(' '),
  )
  const html = `<h1 id="api-reference">API reference</h1>
<p>Every operation of a node, from the table that its routes are made from. The whole contract with all fields is
<a href="openapi.json">openapi.json</a> (OpenAPI 3.1); a node shows it at <code>/api/docs</code>. Types of the library:
<a href="library-types/index.html">library reference</a>. What is common to all: <a href="api.html">The HTTP API</a>.</p>
${parts.join('\n')}`
  return {
    title: 'API reference',
    html,
    headings: [{ id: 'api-reference', level: 1, text: 'API reference' }, ...headings],
    texts: ['', ...texts],
  }
}

function operationsTagged(tag: string, headingId: string): string {
  const rows = ALL_OPERATIONS.filter((one) => one.tag === tag).map(
    ({ id, method, path, right, summary }) =>
      `<tr id="${id}"><td><code>${method} ${inHtml(path)}</code></td><td>${inHtml(summary)}</td><td>${right}</td></tr>`,
  )
  return `<h2 id="${headingId}">${inHtml(tag)}</h2>
<table><thead><tr><th scope="col">operation</th><th scope="col">what it does</th><th scope="col">right</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}
