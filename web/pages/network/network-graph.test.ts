import { expect, it } from 'vitest'
import type { NetworkFigures } from '../../../src/api/operations/wire.ts'
import { loadPageWords } from '../../language/current.ts'
import { networkPictureOf } from './network-graph.ts'

await loadPageWords()

const node = (name: string, parents: string[] = []) =>
  ({ url: `https://${name}.example`, node: name, parents }) as unknown as NetworkFigures['nodes'][number]
const edge = (from: string, hops: number, isCircle = false) =>
  ({ node: from, hops, isCircle }) as NetworkFigures['edges'][number]

it('puts sources left, this node right, and others between them by hops', () => {
  const state = {
    node: 'me',
    sources: 7,
    nodes: [node('near'), node('far', ['near'])],
    edges: [edge('near', 2), edge('far', 3)],
  }
  const { boxes, arrows } = networkPictureOf(state as unknown as NetworkFigures)
  const at = Object.fromEntries(boxes.map(({ id, x }) => [id, x]))
  expect(at['sources']).toBeLessThan(at['far'] ?? 0)
  expect(at['far']).toBeLessThan(at['near'] ?? 0)
  expect(at['near']).toBeLessThan(at['me'] ?? 0)
  expect(boxes[0]?.lines[0]).toBe('7 sources')
  expect(arrows).toContainEqual({ from: 'near', to: 'far', isCircle: false })
})

it('marks circles', () => {
  const state = { node: 'me', sources: 0, nodes: [node('b', ['me'])], edges: [edge('b', 2, true)] }
  expect(networkPictureOf(state as unknown as NetworkFigures).arrows.filter(({ isCircle }) => isCircle)).toHaveLength(2)
})
