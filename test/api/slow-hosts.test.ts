import { afterAll, beforeAll, expect, it } from 'vitest'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { addPerson } from '../support/people.ts'
import { type ApiNode, openApiNode } from './api-node.ts'

let node: ApiNode

beforeAll(async () => {
  node = await openApiNode()
})
afterAll(() => node.close())

it('a source of a slow host says how long it takes', async () => {
  const urls = ['http://slow.example/feed', 'http://quick.example/feed']
  const added = await node.data.store.addSources(
    urls.map((url) => withSourceDefaults({ url })),
    0,
  )
  const { cookie } = await addPerson(node.data.store, 'owner', 'owner', systemClock.now())
  const sources = await Promise.all(
    added.map(async ({ source }) => (await node.ask('GET', `/api/sources/${source.id}`, { cookie })).body.slowHostMs),
  )
  expect(sources).toEqual([57_000, null])
})
