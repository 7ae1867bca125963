import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Table } from '../../report/types.ts'
import type { RowsOfSource } from './day-rows.ts'
import { runScale } from './experiment.ts'
import { rowsTable, sizingTable } from './sizing.ts'
import { readUnitCosts } from './unit-costs.ts'

describe('a small world of the same kind', () => {
  it('loses nothing in hand-overs and spends no more than its budget', async () => {
    const synthetic = { sources: 40_000, crawlers: 4, samples: [64, 256] } as const
    const { claims, tables, load } = await runScale({ trace: null, synthetic }, { seeds: 1 })
    const [, budget, handOvers] = claims
    for (const claim of [budget, handOvers]) expect(claim?.holds, JSON.stringify(claim)).toBe(true)
    expect(tables).toHaveLength(5)
    expect(load.refreshes).toBeGreaterThan(7)
    expect(load.refreshes).toBeLessThanOrEqual(8)
    expect(load.hours).toBeLessThanOrEqual(load.refreshes)
    expect(load.withNews).toBeLessThanOrEqual(load.items)
  })
})

describe('docs/sizing.md', () => {
  const page = readFileSync(new URL('../../../docs/sizing.md', import.meta.url), 'utf8')
  const expected: { readonly load: RowsOfSource } = JSON.parse(
    readFileSync(new URL('expected.json', import.meta.url), 'utf8'),
  )
  const costs = readUnitCosts()

  it.each([
    ['what so many feeds need', sizingTable(expected.load, costs)],
    ['rows and bytes a day', rowsTable(10_000_000, expected.load, costs)],
  ])('shows %s as the experiment prints it', (_what, table) => {
    expect(page).toContain(markdownOf(table))
  })

  it('says with what the units were measured', () => {
    for (const text of Object.values(costs.measured)) expect(page).toContain(text)
  })
})

function markdownOf({ columns, rows }: Table): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(text).join(' | ')} |`
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n')
}

function text(cell: string | number): string {
  return typeof cell === 'number' ? cell.toLocaleString('en', { maximumSignificantDigits: 4 }) : cell
}
