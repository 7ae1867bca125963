import { describe, expect, it } from 'vitest'
import { cyclesOf, folderCycles, type Graph } from '../../scripts/shape/cycles.ts'

const graph = (...edges: readonly string[]): Graph => {
  const all = new Map<string, Set<string>>()
  for (const edge of edges) {
    const [from, to] = edge.split(' ') as [string, string]
    for (const node of [from, to]) if (!all.has(node)) all.set(node, new Set())
    all.get(from)!.add(to)
  }
  return all
}

describe('cycles between files', () => {
  it.each([
    ['none in a diamond', ['a b', 'a c', 'b d', 'c d'], []],
    ['two', ['a b', 'b a', 'b c'], [['a', 'b']]],
    ['a long one, entered in the middle', ['x b', 'a b', 'b c', 'c a'], [['a', 'b', 'c']]],
    [
      'two apart, joined one way',
      ['a b', 'b a', 'b c', 'c d', 'd c'],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['two that share a file are one', ['a b', 'b a', 'b c', 'c b'], [['a', 'b', 'c']]],
  ] as const)('%s', (_name, edges, cycles) => expect(cyclesOf(graph(...edges))).toEqual(cycles))

  it('manages a chain of ten thousand', () => {
    const edges = Array.from({ length: 10_000 }, (_, k) => `f${k} f${k + 1}`)
    expect(cyclesOf(graph(...edges))).toEqual([])
  })
})

describe('cycles between folders', () => {
  it.each([
    ['two folders by different files', ['s/a/1 s/b/1', 's/b/2 s/a/2'], [['s/a/', 's/b/']]],
    ['a folder and its subfolder are one thing from outside', ['s/a/1 s/a/in/1', 's/a/in/2 s/a/2'], []],
    ['a file that uses a subfolder, which comes back to it', ['s/1 s/a/1', 's/a/2 s/1'], [['s/1', 's/a/']]],
    ['files alone are reported elsewhere', ['s/1 s/2', 's/2 s/1'], []],
    ['at the top', ['a/1 b/1', 'b/2 c/1', 'c/2 a/2'], [['a/', 'b/', 'c/']]],
  ] as const)('%s', (_name, edges, cycles) => expect(folderCycles(graph(...edges))).toEqual(cycles))
})
