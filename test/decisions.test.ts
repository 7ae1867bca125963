import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../docs/decisions')
const NAMES = readdirSync(FOLDER).sort()
const numberOf = (name: string) => name.slice(0, 4)
const NUMBERS = NAMES.map(numberOf)
const HEAD = /^# (?<title>.+)\n\nStatus: (?<status>.+)\nDate: (?<date>.+)\n\n/

describe('docs/decisions', () => {
  it('holds pages with a number and a name, and no number twice', () => {
    expect(NAMES.filter((name) => !/^\d{4}-[a-z0-9-]+\.md$/.test(name))).toEqual([])
    expect(NUMBERS.filter((number, index) => NUMBERS.indexOf(number) !== index)).toEqual([])
  })

  it.each(NAMES)('%s says below its title what became of it and when it was made', (name) => {
    const { status, date } = HEAD.exec(readFileSync(join(FOLDER, name), 'utf8'))?.groups ?? {}
    expect(status, 'a line "Status: …" and a line "Date: …" below the title').toMatch(
      /^(proposed|accepted|rejected|replaced by \d{4})$/,
    )
    const follower = /\d{4}/.exec(status!)?.[0]
    if (follower !== undefined) expect(NUMBERS).toContain(follower)
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(new Date(date!).toISOString().slice(0, 10)).toBe(date)
  })
})
