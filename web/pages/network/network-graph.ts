import type { NetworkFigures } from '../../../src/api/operations/wire.ts'
import { t } from '../../language/current.ts'

/** A box of the picture. */
export interface GraphBox {
  readonly id: string
  readonly lines: readonly string[]
  readonly x: number
  readonly y: number
  readonly kind: 'sources' | 'node' | 'self'
}

export interface GraphArrow {
  readonly from: string
  readonly to: string
  readonly isCircle: boolean
}

export interface GraphPicture {
  readonly boxes: readonly GraphBox[]
  readonly arrows: readonly GraphArrow[]
  readonly width: number
  readonly height: number
}

export const BOX = { width: 150, height: 54 } as const
const GAP = { x: 60, y: 22 } as const

/** Sources on the left, this node on the right, other nodes between them: the more refreshes between, the farther left. */
export function networkPictureOf({ nodes, edges, sources, node: self }: NetworkFigures): GraphPicture {
  const hopsTo = (node: string | null) =>
    Math.max(0, ...edges.filter((edge) => edge.node === node).map(({ hops }) => hops - 1))
  const known = nodes.map(({ url, node }) => ({ id: node ?? url, url, hops: Math.min(4, Math.max(1, hopsTo(node))) }))
  const levels = Math.max(0, ...known.map(({ hops }) => hops))
  const columns: { id: string; lines: string[]; kind: GraphBox['kind'] }[][] = [
    [{ id: 'sources', lines: [t.network.sourcesLine({ n: sources }), t.network.polledHere], kind: 'sources' }],
  ]
  for (let level = levels; level >= 1; level--) {
    const here = known.filter(({ hops }) => hops === level)
    columns.push(here.map(({ id, url }) => ({ id, lines: [hostOf(url), feedWords(edges, id)], kind: 'node' as const })))
  }
  columns.push([{ id: self, lines: [t.network.thisNode, t.network.feedsFollowed({ n: edges.length })], kind: 'self' }])
  const tallest = Math.max(...columns.map(({ length }) => length))
  const height = tallest * (BOX.height + GAP.y) + GAP.y
  const boxes = columns.flatMap((column, c) =>
    column.map((box, r) => ({ ...box, ...placeOf(c, r, column.length, height) })),
  )
  const present = new Set(boxes.map(({ id }) => id))
  const between = nodes.flatMap(({ node, parents }) =>
    parents
      .filter((parent) => present.has(parent) && node !== null)
      .map((parent) => ({ from: parent, to: node ?? '', isCircle: parent === self })),
  )
  const toSelf = [...new Set(edges.map(({ node }) => node))].map((node) => ({
    from: node,
    to: self,
    isCircle: edges.some((edge) => edge.node === node && edge.isCircle),
  }))
  return {
    boxes,
    arrows: [{ from: 'sources', to: self, isCircle: false }, ...toSelf, ...between].filter(({ from }) =>
      present.has(from),
    ),
    width: columns.length * (BOX.width + GAP.x) + GAP.x / 2,
    height,
  }
}

function placeOf(column: number, row: number, rows: number, height: number) {
  const free = height - rows * (BOX.height + GAP.y) + GAP.y
  return { x: GAP.x / 2 + column * (BOX.width + GAP.x), y: free / 2 + row * (BOX.height + GAP.y) }
}

function feedWords(edges: NetworkFigures['edges'], node: string): string {
  const count = edges.filter((edge) => edge.node === node).length
  return count === 0
    ? t.network.nothingFollowed
    : count === 1
      ? t.network.oneFollowed
      : t.network.feedsFollowed({ n: count })
}

export function hostOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/.*$/, '')
}
