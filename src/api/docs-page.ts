import { z } from 'zod'
import { type Html, html, htmlPage } from './html.ts'
import type { Operation } from './operations/operation.ts'

/** The API for people: every operation with what it takes and gives. */
export function docsPage(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const body = html`<h1>The API of this node</h1>
<p class="soft">${operations.length} operations. Each line opens: what it takes, what it gives, and the right that it needs.</p>
<nav><a href="../">Overview</a> <a href="openapi.json">as OpenAPI 3.1</a></nav>
${tags.map((tag) =>
  section(
    tag,
    operations.filter((one) => one.tag === tag),
  ),
)}`
  return htmlPage('API · Headwater', html``, body, '../')
}

function section(tag: string, operations: readonly Operation[]): Html {
  return html`<h2>${tag}</h2>
${operations.map(entry)}`
}

function entry(operation: Operation): Html {
  const { method, path, summary, right, params, query, body, rawBody, answer, rawAnswer, status } = operation
  const takes = [
    ...fields('in the path', params, 'input'),
    ...fields('in the query', query, 'input'),
    ...(body === null ? [] : [html`<p>Body</p><pre>${schemaText(body, 'input')}</pre>`]),
    ...(rawBody === null ? [] : [html`<p>Body: ${rawBody.description} (${rawBody.mediaType})</p>`]),
  ]
  const gives =
    rawAnswer !== null
      ? html`<p>Answer ${status}: ${rawAnswer.description} (${rawAnswer.mediaType})</p>`
      : status === 204
        ? html`<p>Answer ${status}: nothing</p>`
        : html`<p>Answer ${status}</p><pre>${schemaText(answer, 'output')}</pre>`
  return html`<details id="${operation.id}"><summary><code>${method} ${path}</code> ${summary} <span class="soft">${right}</span></summary>
${takes}${gives}</details>
`
}

function fields(where: string, schema: z.ZodObject, io: 'input' | 'output'): Html[] {
  return Object.keys(schema.shape).length === 0
    ? []
    : [html`<p>Values ${where}</p><pre>${schemaText(schema, io)}</pre>`]
}

function schemaText(schema: z.ZodType, io: 'input' | 'output'): string {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return JSON.stringify(rest, null, 1)
}
