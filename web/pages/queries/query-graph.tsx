import { Link, useLocation } from 'wouter'
import type { OperationAnswer } from '../../client/call.ts'
import { t } from '../../language/current.ts'
import { type GraphNode, layerNodes, type PlacedNode } from './graph-layout.ts'

const BOX_W = 230
const BOX_H = 30
const GAP_X = 70
const GAP_Y = 12

interface QueryGraphProps {
  readonly graph: OperationAnswer<'queryGraph'>
  /** Of query feeds, by their names. */
  readonly titles: ReadonlyMap<string, string>
}

/** Which feeds are built on which, from left to right; a dashed line is a join. On a phone, where it does not fit: in lines. */
export function QueryGraph({ graph, titles }: QueryGraphProps) {
  const placed = layerNodes(graph.nodes, graph.edges)
  const byId = new Map(placed.map((node) => [node.id, node]))
  const width = (Math.max(...placed.map(({ layer }) => layer)) + 1) * (BOX_W + GAP_X)
  const height = (Math.max(...placed.map(({ row }) => row)) + 1) * (BOX_H + GAP_Y) + GAP_Y
  const words = graph.edges.map(({ from, to, kind }) => `${byId.get(to)?.name} ${kind} ${byId.get(from)?.name}`)
  const titleOf = ({ kind, name }: GraphNode) => (kind === 'feed' && titles.get(name)) || name
  const readBy = ({ id }: GraphNode) => {
    const read = new Set(graph.edges.filter(({ to }) => to === id).map(({ from }) => from))
    return placed.filter((node) => read.has(node.id))
  }
  return (
    <section className="panel stack tight">
      <h2>{t.queries.builtOn}</h2>
      <div className="graph" tabIndex={0} role="region" aria-label={t.queries.graph}>
        <svg width={width} height={height} role="img" aria-label={words.join('; ')}>
          {graph.edges.map(({ from, to, kind }) => (
            <path key={`${from} ${to} ${kind}`} className={kind} d={curve(byId.get(from), byId.get(to))} />
          ))}
          {placed.map((node) => (
            <Box key={node.id} node={node} title={titleOf(node)} />
          ))}
        </svg>
      </div>
      <ul className="graph-lines">
        {placed
          .filter(({ kind }) => kind === 'feed')
          .map((node) => (
            <li key={node.id}>
              <Link href={`/queries/${encodeURIComponent(node.name)}`}>{titleOf(node)}</Link>
              <span className="small muted">{t.queries.reads({ names: readBy(node).map(titleOf).join(', ') })}</span>
            </li>
          ))}
      </ul>
    </section>
  )
}

function Box({ node, title }: { readonly node: PlacedNode; readonly title: string }) {
  const [, navigate] = useLocation()
  const { x, y } = cornerOf(node)
  const isFeed = node.kind === 'feed'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table above has the same links
    <g onClick={isFeed ? () => navigate(`/queries/${encodeURIComponent(node.name)}`) : undefined}>
      <title>{title}</title>
      <rect className={node.kind} x={x} y={y} width={BOX_W} height={BOX_H} rx={7} />
      <foreignObject x={x} y={y} width={BOX_W} height={BOX_H}>
        <div className="name">{title}</div>
      </foreignObject>
    </g>
  )
}

function cornerOf({ layer, row }: PlacedNode): { readonly x: number; readonly y: number } {
  return { x: 1 + layer * (BOX_W + GAP_X), y: GAP_Y + row * (BOX_H + GAP_Y) }
}

function curve(from: PlacedNode | undefined, to: PlacedNode | undefined): string {
  if (!from || !to) return ''
  const start = cornerOf(from)
  const end = cornerOf(to)
  const [x1, y1, x2, y2] = [start.x + BOX_W, start.y + BOX_H / 2, end.x, end.y + BOX_H / 2]
  const middle = (x1 + x2) / 2
  return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}
