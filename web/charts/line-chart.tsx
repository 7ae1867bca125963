import { useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import './charts.css'
import { onThemeChange } from '../shell/theme.ts'
import type { LineChartProps } from './chart.ts'

/** Lines over time or over an amount. The library is loaded when the first chart is shown. */
export function LineChart(props: LineChartProps) {
  const holder = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const key = JSON.stringify([props.x, props.lines, props.xKind])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is drawn
  useEffect(() => {
    const element = holder.current
    if (!element) return
    let plot: uPlot | null = null
    let isGone = false
    const draw = async () => {
      const { makePlot } = await import('./make-plot.ts')
      if (isGone) return
      plot?.destroy()
      plot = makePlot(latest.current, element)
    }
    draw()
    const size = new ResizeObserver(() => {
      if (plot && element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height: plot.height })
    })
    size.observe(element)
    const forget = onThemeChange(draw)
    return () => {
      isGone = true
      forget()
      size.disconnect()
      plot?.destroy()
    }
  }, [key])
  if (isEmpty(props)) return <p className="muted chart-empty">Nothing to draw yet.</p>
  return (
    <figure className="stack tight">
      <ul className="legend">
        {props.lines.map(({ label, color, isDashed }) => (
          <li key={label}>
            <span
              className={isDashed ? 'swatch dashed' : 'swatch'}
              style={{ borderColor: `var(--series-${color})` }}
              aria-hidden="true"
            />
            {label}
          </li>
        ))}
      </ul>
      <div
        ref={holder}
        role="img"
        aria-label={props.summary}
        className="chart"
        style={{ minHeight: props.heightPx ?? 180 }}
      />
    </figure>
  )
}

/** Lines that say where a limit is are no figures. */
function isEmpty({ lines }: LineChartProps): boolean {
  return lines.every(({ values, isDashed }) => isDashed === true || values.every((value) => value === null))
}
