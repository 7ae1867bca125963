import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SETTING_NAMES } from '../../src/app/settings/config.ts'
import { CRAWL_ROWS } from './crawl-rows.ts'
import { DELIVERY_ROWS } from './delivery-rows.ts'
import { DOOR_ROWS } from './door-rows.ts'
import { FETCH_ROWS } from './fetch-rows.ts'
import { LETTER_ROWS } from './letter-rows.ts'
import { MEMBER_ROWS } from './member-rows.ts'
import { NODE_ROWS } from './node-rows.ts'

const ROWS = [
  ...CRAWL_ROWS,
  ...FETCH_ROWS,
  ...NODE_ROWS,
  ...DOOR_ROWS,
  ...DELIVERY_ROWS,
  ...LETTER_ROWS,
  ...MEMBER_ROWS,
]

describe('every setting', () => {
  it('has a row here that shows what it does', () => {
    expect(ROWS.map(({ name }) => name).sort()).toEqual([...SETTING_NAMES].sort())
  })

  it('is in the manual', () => {
    const manual = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
    const rows = manual.split('\n').filter((line) => line.startsWith('|'))
    const isThere = (name: string) => rows.some((line) => line.split('|')[1]!.includes(`\`${name}\``))
    expect(SETTING_NAMES.filter((name) => !isThere(name))).toEqual([])
  })
})

// Each on a node or a crawler of its own; most of the time they wait.
describe('what a setting does', { concurrent: true }, () => {
  it.each(ROWS.map((row) => [row.name, row] as const))('%s', async (_name, { values, effect, shows }) => {
    expect(values[0]).not.toEqual(values[1])
    shows(await effect(values[0]), await effect(values[1]))
  })
})
