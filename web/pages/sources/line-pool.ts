import { t } from '../../language/current.ts'
import { hueOf, initials } from '../../ui/monogram.tsx'
import { stateLook } from '../../ui/state-line.tsx'
import { TABLE_COLUMNS } from './table-columns.ts'
import type { Columns } from './table-data.ts'

const LINE_PX = 46
/** On a phone a source is a card. */
const CARD_PX = 112
const PHONE = '(max-width: 46rem)'
const LINES_BEYOND = 4

export interface VisibleRows {
  readonly columns: Columns
  /** Places in the columns, in the order of the table. */
  readonly order: Uint32Array
  readonly now: number
  /** Ids of sources that something is to be done with. */
  readonly ticked: ReadonlySet<number>
}

/**
 * The lines in view, made once and used again for what comes into view: scrolling writes the texts that differ and moves
 * the lines, and makes nothing. React would compare every cell of every line in each frame.
 */
export class LinePool {
  private readonly body: HTMLElement
  private lines: Line[] = []
  private state: VisibleRows | null = null
  private topPx = 0
  private viewPx = 0
  private linePx = LINE_PX

  constructor(body: HTMLElement) {
    this.body = body
  }

  show(state: VisibleRows): void {
    this.state = state
    this.place()
    this.draw()
  }

  resize(viewPx: number): void {
    this.viewPx = viewPx
    this.linePx = matchMedia(PHONE).matches ? CARD_PX : LINE_PX
    this.place()
    this.draw()
  }

  scroll(topPx: number): void {
    this.topPx = topPx
    this.draw()
  }

  private place(): void {
    this.body.style.height = `${(this.state?.order.length ?? 0) * this.linePx}px`
    for (const line of this.lines) line.index = -1
  }

  private draw(): void {
    if (this.state === null || this.viewPx === 0) return
    const { order } = this.state
    const count = Math.min(order.length, Math.ceil(this.viewPx / this.linePx) + 1 + 2 * LINES_BEYOND)
    const first = Math.max(0, Math.min(Math.floor(this.topPx / this.linePx) - LINES_BEYOND, order.length - count))
    this.keep(count)
    // A line keeps its row as long as it is in view, so that a step writes the lines that come and no others.
    for (let index = first; index < first + count; index++)
      this.lines[index % count]?.fill(index, this.state, this.linePx)
  }

  private keep(count: number): void {
    if (this.lines.length === count) return
    while (this.lines.length < count) {
      const line = new Line()
      this.lines.push(line)
      this.body.append(line.element)
    }
    for (const line of this.lines.splice(count)) line.element.remove()
    for (const line of this.lines) line.index = -1
  }
}

class Line {
  index = -1
  readonly element = element('div', 'line', 'row')
  private readonly texts: Text[] = []
  private readonly link = document.createElement('a')
  private readonly tick = document.createElement('input')
  private readonly monogram = document.createElement('span')
  private readonly badge = document.createElement('span')

  constructor() {
    this.tick.type = 'checkbox'
    this.monogram.ariaHidden = 'true'
    for (const { column, look, title } of TABLE_COLUMNS) {
      const cell = element('span', look ?? '', 'cell')
      cell.dataset['title'] = title()
      const text = document.createTextNode('')
      const holder = column === 'name' ? this.link : column === 'condition' ? this.badge : cell
      holder.append(text)
      if (column === 'name') cell.append(this.tick, this.monogram)
      if (holder !== cell) cell.append(holder)
      this.texts.push(text)
      this.element.append(cell)
    }
  }

  fill(index: number, { columns, order, now, ticked }: VisibleRows, linePx: number): void {
    if (this.index === index) return
    this.index = index
    const at = order[index] as number
    this.element.style.top = `${index * linePx}px`
    this.element.setAttribute('aria-rowindex', String(index + 2))
    this.link.href = `/sources/${columns.id[at]}`
    this.setName(columns.name[at] ?? '', columns.id[at] ?? 0, ticked)
    this.setState(columns.condition[at] as Columns['condition'][number], columns.errorCode[at] ?? null)
    for (let i = 0; i < this.texts.length; i++) {
      const text = this.texts[i] as Text
      const words = TABLE_COLUMNS[i]?.show(columns, at, now) ?? ''
      if (text.data !== words) text.data = words
    }
  }

  private setName(name: string, id: number, ticked: ReadonlySet<number>): void {
    this.tick.dataset['id'] = String(id)
    this.tick.checked = ticked.has(id)
    this.tick.ariaLabel = t.sources.tick({ name })
    this.element.classList.toggle('ticked', this.tick.checked)
    this.monogram.className = `monogram hue-${hueOf(name)}`
    this.monogram.textContent = initials(name)
  }

  private setState(condition: Columns['condition'][number], errorCode: string | null): void {
    this.element.dataset['condition'] = condition
    this.badge.className = stateLook({ condition, errorCode })
  }
}

function element(tag: string, className: string, role: string): HTMLElement {
  const node = document.createElement(tag)
  if (className !== '') node.className = className
  node.setAttribute('role', role)
  return node
}
