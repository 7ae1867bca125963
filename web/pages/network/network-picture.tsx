import type { NetworkFigures } from '../../../src/api/operations/wire.ts'
import { t } from '../../language/current.ts'
import { BOX, type GraphBox, networkPictureOf } from './network-graph.ts'

export function NetworkPicture({ network }: { readonly network: NetworkFigures }) {
  const { boxes, arrows, width, height } = networkPictureOf(network)
  const byId = new Map(boxes.map((box) => [box.id, box]))
  return (
    <section className="panel stack tight">
      <h2>{t.network.whoReadsWhom}</h2>
      <div className="scroll-x" tabIndex={0} role="region" aria-label={t.network.picture}>
        <svg
          className="network-picture"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label={t.network.pictureWords({
            sources: network.sources,
            nodes: network.nodes.length,
            feeds: network.edges.length,
          })}
        >
          {arrows.map(({ from, to, isCircle }) => (
            <Arrow key={`${from} ${to}`} from={byId.get(from)} to={byId.get(to)} isCircle={isCircle} />
          ))}
          {boxes.map((box) => (
            <g key={box.id} className={`network-box ${box.kind}`}>
              <rect x={box.x} y={box.y} width={BOX.width} height={BOX.height} rx="8" />
              {box.lines.map((line, row) => (
                <text key={line} x={box.x + BOX.width / 2} y={box.y + 22 + row * 18} textAnchor="middle">
                  {line.length > 22 ? `${line.slice(0, 21)}…` : line}
                </text>
              ))}
            </g>
          ))}
        </svg>
      </div>
    </section>
  )
}

interface ArrowProps {
  readonly from: GraphBox | undefined
  readonly to: GraphBox | undefined
  readonly isCircle: boolean
}

function Arrow({ from, to, isCircle }: ArrowProps) {
  if (from === undefined || to === undefined) return null
  const [x1, y1] = [from.x + BOX.width, from.y + BOX.height / 2]
  const [x2, y2] = [to.x, to.y + BOX.height / 2]
  const bend = Math.max(30, Math.abs(x2 - x1) / 2)
  return (
    <path
      className={isCircle ? 'network-arrow circle' : 'network-arrow'}
      d={`M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`}
    />
  )
}
