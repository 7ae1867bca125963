import fc from 'fast-check'
import { z } from 'zod'

/** Values at, beyond and between the bounds of a schema, and some that have nothing to do with it. */

export interface Json {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
  readonly items?: Json
  readonly anyOf?: readonly Json[]
  readonly oneOf?: readonly Json[]
  readonly allOf?: readonly Json[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

export function jsonOf(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
}

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  'all',
  'none',
  '1e308',
  'NaN',
  '\u0000',
  '\ud800',
  '’"\'`;--',
  '%',
  '../..',
  '🦉',
  'İ',
  '*',
  '{}',
]
/** The node asks nobody but this machine, and there nobody answers. */
const URLS = [
  'http://127.0.0.1:1/',
  `http://127.0.0.1:1/${'a'.repeat(3_900)}`,
  'javascript:1',
  '::',
  '',
  'http://127.0.0.1:99999/',
]

/** Words that queries are made of, so that some of the texts are some. */
const QUERIES = [
  'RETURN ALL',
  'CREATE FEED random AS RETURN ALL WHERE ITEM CONTAINS "ice";',
  'RETURN ALL WHERE ITEM MATCHES /(a+)+$/',
  'RETURN ALL AS $a JOIN ALL AS $b WITHIN 1 h ON $a.TITLE = $b.TITLE',
  'DROP FEED one;',
  'ALTER FEED one WEIGHT 2;',
  `RETURN ALL WHERE ${'('.repeat(500)}`,
  `RETURN ALL WHERE ${Array.from({ length: 400 }, (_, index) => `ITEM CONTAINS "w${index}"`).join(' OR ')}`,
]

export function anyOf(schema: Json, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 9, arbitrary: likely(schema, name) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  )
}

function likely(schema: Json, name: string): fc.Arbitrary<unknown> {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  if (parts.length > 0) return fc.oneof(...parts.map((part) => anyOf(part, name)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'number':
    case 'integer':
      return numberIn(schema)
    case 'string':
      return textIn(schema, name)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return listIn(schema, name)
    default:
      return objectIn(schema)
  }
}

function numberIn({ minimum, exclusiveMinimum, maximum }: Json): fc.Arbitrary<number> {
  const least = minimum ?? exclusiveMinimum ?? 0
  const most = maximum ?? 0
  const between = fc.integer({ min: Math.max(-(2 ** 31), Math.ceil(least)), max: Math.min(2 ** 31, Math.floor(most)) })
  return fc.oneof(
    fc.constantFrom(least, least - 1, least + 1, most, most + 1, 0, 1, 2, 0.5, -0, 1e-300, 1e300),
    between,
  )
}

function textIn({ maxLength = 100 }: Json, name: string): fc.Arbitrary<string> {
  if (/url$/i.test(name)) return fc.constantFrom(...URLS)
  const lengths = fc.constantFrom(
    'a'.repeat(maxLength),
    'a'.repeat(maxLength + 1),
    'é '.repeat(Math.floor(maxLength / 2)),
  )
  const free = fc.string({ unit: 'binary', maxLength: Math.min(maxLength, 60) })
  const own =
    name === 'text' ? [fc.constantFrom(...QUERIES)] : name === 'feed' || name === 'name' ? [fc.constant('one')] : []
  return fc.oneof(fc.constantFrom(...TEXTS), free, lengths, ...own)
}

function listIn({ items = {}, maxItems = 10 }: Json, name: string): fc.Arbitrary<unknown[]> {
  const one = anyOf(items, name)
  const long = fc
    .constantFrom(maxItems, maxItems + 1)
    .chain((length) => one.map((value) => Array.from({ length }, () => value)))
  return fc.oneof(fc.array(one, { maxLength: 5 }), long)
}

function objectIn({ properties = {}, required = [] }: Json): fc.Arbitrary<object> {
  const known = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, anyOf(field, name)]))
  const whole = fc.record(known, { requiredKeys: [...required] })
  return fc.oneof(
    { weight: 9, arbitrary: whole },
    { weight: 1, arbitrary: whole.map((one) => ({ ...one, nobody: 1 })) },
  )
}
