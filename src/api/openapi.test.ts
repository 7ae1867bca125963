import { describe, expect, it } from 'vitest'
import { openApiOf } from './openapi.ts'
import { ALL_OPERATIONS } from './operations/index.ts'

const document = JSON.parse(
  JSON.stringify(openApiOf(ALL_OPERATIONS, { version: '1', serverUrl: 'http://node.example' })),
)

describe('the OpenAPI document', () => {
  it('names every operation once, with path parameters that its path has', () => {
    expect(document.openapi).toBe('3.1.0')
    const ids = new Set(ALL_OPERATIONS.map(({ id }) => id))
    expect(ids.size).toBe(ALL_OPERATIONS.length)
    const seen = new Set<string>()
    for (const [path, methods] of Object.entries<Record<string, DescribedOperation>>(document.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { operationId, parameters } of Object.values(methods)) {
        seen.add(operationId)
        expect(
          parameters
            .filter((p) => p.in === 'path')
            .map((p) => p.name)
            .sort(),
          path,
        ).toEqual(names.sort())
      }
    }
    expect(seen).toEqual(ids)
  })

  it('says which values are taken', () => {
    const { parameters } = document.paths['/api/sources'].get as DescribedOperation
    expect(parameters.find(({ name }) => name === 'limit')).toMatchObject({
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 1_000, default: 100 },
    })
    expect(document.paths['/api/session'].post.requestBody.content['application/json'].schema).toMatchObject({
      type: 'object',
      required: ['name', 'password'],
      additionalProperties: false,
    })
  })

  it('asks for a session or token wherever a right is needed', () => {
    for (const { method, path, right } of ALL_OPERATIONS) {
      const { security } = document.paths[path][method.toLowerCase()]
      expect(security.length > 0, `${method} ${path}`).toBe(right !== 'public')
    }
  })
})

interface DescribedOperation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: unknown }[]
}
