import { z } from 'zod'
import { type Html, html, htmlPage } from './html.ts'
import type { Operation, Raw } from './operations/operation.ts'
import type { PageWords } from './page-words.ts'

/** The API for people: every operation with what it takes and gives. */
export function docsPage(operations: readonly Operation[], words: PageWords): string {
  const { api } = words
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const body = html`<h1>${api.title}</h1>
<p class="soft">${api.lead(operations.length)}</p>
<nav><a href="../">${words.overview}</a> <a href="openapi.json">${api.asOpenApi}</a></nav>
${tags.map((tag) =>
  section(
    api.tags[tag] ?? tag,
    operations.filter((one) => one.tag === tag),
    api,
  ),
)}`
  return htmlPage('API · Headwater', html``, body, '../', words.language)
}

type ApiWords = PageWords['api']

function section(tag: string, operations: readonly Operation[], words: ApiWords): Html {
  return html`<h2>${tag}</h2>
${operations.map((operation) => entry(operation, words))}`
}

function entry(operation: Operation, words: ApiWords): Html {
  const { method, path, summary, right, params, query, body, rawBody, answer, rawAnswer, status } = operation
  const documentOf = ({ description }: Raw) => words.documents[description] ?? description
  const takes = [
    ...fields(words.inPath, params, 'input'),
    ...fields(words.inQuery, query, 'input'),
    ...(body === null ? [] : [html`<p>${words.body}</p><pre>${schemaText(body, 'input')}</pre>`]),
    ...(rawBody === null ? [] : [html`<p>${words.body}: ${documentOf(rawBody)} (${rawBody.mediaType})</p>`]),
  ]
  const gives =
    rawAnswer !== null
      ? html`<p>${words.answer(status)}: ${documentOf(rawAnswer)} (${rawAnswer.mediaType})</p>`
      : status === 204
        ? html`<p>${words.answer(status)}: ${words.nothing}</p>`
        : html`<p>${words.answer(status)}</p><pre>${schemaText(answer, 'output')}</pre>`
  return html`<details id="${operation.id}"><summary><code>${method} ${path}</code> ${words.summaries[operation.id] ?? summary} <span class="soft">${words.rights[right] ?? right}</span></summary>
${takes}${gives}</details>
`
}

function fields(where: string, schema: z.ZodObject, io: 'input' | 'output'): Html[] {
  return Object.keys(schema.shape).length === 0 ? [] : [html`<p>${where}</p><pre>${schemaText(schema, io)}</pre>`]
}

function schemaText(schema: z.ZodType, io: 'input' | 'output'): string {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return JSON.stringify(rest, null, 1)
}
