import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMPOSED_FAMILIES, USUAL_FAMILIES } from '../src/crawler/bundles/families.ts'
import { STATED_PACES } from '../src/crawler/politeness/stated-paces.ts'
import { SECOND_MS } from '../src/model/index.ts'

const manual = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8')
const SITES: Readonly<Record<string, string>> = { arxiv: 'arxiv.org', reddit: 'reddit.com' }

function paceInWords(id: string): string {
  const pace = STATED_PACES.get(SITES[id] ?? '')
  if (pace === undefined) return 'as any site'
  return `one in ${pace.spacingMs / SECOND_MS} s${pace.concurrency === 1 ? ', one at a time' : ''}`
}

it.each(COMPOSED_FAMILIES)('the manual says what is asked of $id, how much, how often and whether', (family) => {
  const cells = manual
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find((line) => line[1] === `\`${family.id}\``)
  const { mostMembers, windowSize } = family.limits
  const isOn = USUAL_FAMILIES.includes(family.id) ? 'on' : 'off'
  expect(cells?.slice(4, 7)).toEqual([`${mostMembers}, ${windowSize}`, paceInWords(family.id), isOn])
})

it('the manual names those that are used by themselves', () => {
  const row = manual.split('\n').find((line) => line.startsWith('| `bundleFamilies`'))
  expect(row?.split('|')[2]?.trim()).toBe(`\`${USUAL_FAMILIES.join(',')}\``)
})
