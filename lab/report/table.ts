import { type ReportHtml, reportHtml } from './html.ts'
import type { Table } from './types.ts'

/** Longer tables are folded: the plots above show the same at a glance. */
const OPEN_ROWS = 14

export function tableHtml({ title, columns, rows }: Table, isOpen = rows.length <= OPEN_ROWS): ReportHtml {
  const table = reportHtml`<div class="scroll"><table>
<thead><tr>${columns.map((column, index) => reportHtml`<th scope="col" class="${alignOf(rows, index)}">${column}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => reportHtml`<tr>${row.map((cell, index) => reportHtml`<td class="${alignOf(rows, index)}">${cellText(cell)}</td>`)}</tr>`)}
</tbody></table></div>`
  if (isOpen) return reportHtml`<section class="table"><h4>${title}</h4>${table}</section>`
  return reportHtml`<details class="table"><summary><h4>${title}</h4> <span class="quiet">${rows.length} rows</span></summary>${table}</details>`
}

function alignOf(rows: Table['rows'], column: number): string {
  return isNumeric(rows, column) ? 'number' : 'text'
}

/** A column is one of numbers when most of its cells are, or say so in digits, with a note or without. */
function isNumeric(rows: Table['rows'], column: number): boolean {
  return 2 * rows.filter((row) => isNumber(row[column])).length > rows.length
}

function isNumber(cell: string | number | undefined): boolean {
  return typeof cell === 'number' || (cell !== undefined && /^−?[\d.,]+( \*)?$/.test(cell))
}

/** Numbers as experiments rounded them, large ones in groups of three. */
export function cellText(cell: string | number | null | undefined): string {
  if (cell === null || cell === undefined) return '–'
  if (typeof cell === 'string') return cell
  if (!Number.isFinite(cell)) return Number.isNaN(cell) ? '–' : cell > 0 ? '∞' : '−∞'
  const size = Math.abs(cell)
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return cell.toExponential(2).replace('-', '−').replace('e+', 'e')
  return cell.toLocaleString('en-US', { maximumFractionDigits: size >= 1_000 ? 1 : 6 }).replace('-', '−')
}
