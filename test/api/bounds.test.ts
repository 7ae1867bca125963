import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ALL_OPERATIONS } from '../../src/api/operations/index.ts'

/** Every number, text, list and object that an operation takes has both bounds, and nothing goes in that has no name. */

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly propertyNames?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly [word: string]: unknown
}

function unbounded(schema: Schema, path: string): string[] {
  const { type } = schema
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const found = parts.flatMap((part) => unbounded(part, path))
  const has = (...words: string[]) => words.some((word) => typeof schema[word] === 'number')
  if (schema.enum !== undefined || schema.const !== undefined || type === 'boolean' || type === 'null') return found
  if (type === 'number' || type === 'integer') {
    if (!has('minimum', 'exclusiveMinimum')) found.push(`${path} has no minimum`)
    if (!has('maximum', 'exclusiveMaximum')) found.push(`${path} has no maximum`)
  } else if (type === 'string') {
    if (!has('maxLength')) found.push(`${path} has no maxLength`)
  } else if (type === 'array') {
    if (!has('maxItems')) found.push(`${path} has no maxItems`)
    found.push(...unbounded(schema.items ?? {}, `${path}[]`))
  } else if (type === 'object') {
    for (const [name, field] of Object.entries(schema.properties ?? {}))
      found.push(...unbounded(field, `${path}.${name}`))
    const { additionalProperties: more } = schema
    if (typeof more === 'object') {
      if (!has('maxProperties')) found.push(`${path} has no maxProperties`)
      found.push(...unbounded(schema.propertyNames ?? {}, `${path} (names)`), ...unbounded(more, `${path}.*`))
    } else if (more !== false) found.push(`${path} takes fields that it does not know`)
  } else if (parts.length === 0) found.push(`${path} may be anything`)
  return found
}

const inputs = ALL_OPERATIONS.flatMap((operation) => {
  const { id, params, query, body } = operation
  const parts = { query, ...(body === null ? {} : { body }), ...(/\{/.test(operation.path) ? { params } : {}) }
  return Object.entries(parts).map(([part, schema]) => ({ path: `${id} ${part}`, schema: schema as z.ZodType }))
})

describe('the table of operations', () => {
  it('bounds every number, text and list that comes in, and takes nothing that it does not know', () => {
    const all = inputs.flatMap(({ path, schema }) => {
      const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
      // The router gives what is in the path.
      return unbounded(path.endsWith('params') ? { ...json, additionalProperties: false } : json, path)
    })
    expect(inputs.length).toBeGreaterThan(ALL_OPERATIONS.length)
    expect(all).toEqual([])
  })

  it('would be found out: what has no bounds is named', () => {
    const loose = z.object({
      a: z.number().min(1),
      b: z.string(),
      c: z.array(z.string().max(1)),
      d: z.record(z.string(), z.int()),
    })
    expect(unbounded(z.toJSONSchema(loose, { io: 'input' }) as Schema, 'x')).toEqual([
      'x.a has no maximum',
      'x.b has no maxLength',
      'x.c has no maxItems',
      'x.d has no maxProperties',
      'x.d (names) has no maxLength',
      'x takes fields that it does not know',
    ])
  })
})
