import { alignedLines } from '../../src/cli/table.ts'
import { cellText } from '../report/table.ts'
import type { Table } from '../report/types.ts'
import type { ReportedResult } from './report.ts'

/** What a terminal shows of a result: claims first, then the tables. */
export function renderText({ experiment, result }: ReportedResult): string {
  const claims = result.claims.map(({ text, holds, figures }) => {
    const list = Object.entries(figures).map(([name, value]) => `${name} ${cellText(value)}`)
    return `  ${holds ? '✓' : '✗'} ${text}${list.length > 0 ? `\n      ${wrapped(list, 110).join('\n      ')}` : ''}\n`
  })
  const deviations = (result.deviations ?? []).map((text) => `  · ${text}\n`)
  return [
    `${experiment.title}\n${experiment.paper}\n\n`,
    ...claims,
    ...result.tables.map((table) => `\n${tableText(table)}`),
    deviations.length > 0 ? `\nWhere ours differs:\n${deviations.join('')}` : '',
  ].join('')
}

function tableText({ title, columns, rows }: Table): string {
  const lines = alignedLines([columns, ...rows.map((row) => row.map(cellText))], { hasHeader: true })
  return `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`
}

function wrapped(parts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + part.length + 2 <= width) lines[lines.length - 1] = `${last}, ${part}`
    else lines.push(part)
  }
  return lines
}
