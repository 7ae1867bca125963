import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/**
 * Compares with the committed expected.json of an experiment to six digits; with UPDATE_EXPECTED=1 it is written again.
 */
export function expectGolden(folder: string, actual: unknown): void {
  const file = new URL('expected.json', folder)
  const rounded: unknown = JSON.parse(JSON.stringify(actual, (_key, value: unknown) => roundedNumber(value)))
  if (process.env.UPDATE_EXPECTED === '1') writeFileSync(file, `${JSON.stringify(rounded, null, 1)}\n`)
  expect(rounded).toEqual(JSON.parse(readFileSync(file, 'utf8')))
}

function roundedNumber(value: unknown): unknown {
  return typeof value === 'number' && Number.isFinite(value) ? Number(value.toPrecision(6)) : value
}
