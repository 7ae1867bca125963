import { z } from 'zod'
import type { Operation, Raw } from './operations/operation.ts'
import { problem } from './operations/shared.ts'

type Json = Readonly<Record<string, unknown>>

export interface OpenApiInfo {
  readonly version: string
  readonly serverUrl: string
}

/** OpenAPI 3.1 of a table of operations: what it says is what the routes check. */
export function openApiOf(operations: readonly Operation[], { version, serverUrl }: OpenApiInfo): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    paths[operation.path] = path
    path[operation.method.toLowerCase()] = describe(operation)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Headwater',
      version,
      summary: 'A feed aggregator that spends a limited number of requests where they are worth most',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: { Problem: answerSchema(problem) },
      responses: {
        Problem: {
          description: 'What went wrong, as problem details (RFC 9457)',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'headwater_session' },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
  }
}

function describe(operation: Operation): Json {
  const { id, tag, summary, right, params, query } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    'x-right': right,
    security: right === 'public' ? [] : [{ session: [] }, { token: [right] }],
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query')],
    ...bodyOf(operation),
    responses: { [operation.status]: answerOf(operation), default: { $ref: '#/components/responses/Problem' } },
  }
}

function parameters(fields: z.ZodObject, location: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = inputSchema(fields) as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema,
  }))
}

function bodyOf({ body, rawBody }: Operation): Json {
  if (rawBody !== null) return { requestBody: { required: true, ...rawContent(rawBody) } }
  if (body === null) return {}
  return { requestBody: { required: true, content: { 'application/json': { schema: inputSchema(body) } } } }
}

function answerOf({ answer, rawAnswer, status, summary }: Operation): Json {
  if (rawAnswer !== null) return rawContent(rawAnswer)
  if (status === 204) return { description: 'Done' }
  return { description: summary, content: { 'application/json': { schema: answerSchema(answer) } } }
}

function rawContent({ mediaType, description }: Raw): Json {
  return { description, content: { [mediaType]: { schema: { type: 'string', format: 'binary' } } } }
}

/** As sent: before defaults and conversions. */
function inputSchema(schema: z.ZodType): Json {
  return withoutDialect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

function answerSchema(schema: z.ZodType): Json {
  return withoutDialect(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))
}

/** OpenAPI 3.1 speaks the dialect that zod writes; naming it in every schema says nothing new. */
function withoutDialect({ $schema: _dialect, ...schema }: Json): Json {
  return schema
}
