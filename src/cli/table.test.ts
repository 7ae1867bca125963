import { describe, expect, it } from 'vitest'
import { styleFor, terminalSafe } from './style.ts'
import { table, widthOf } from './table.ts'

describe('the table of all commands', () => {
  it('aligns words at the left and numbers at the right, with two spaces between and none at the end', () => {
    expect(
      table(
        ['NAME', 'ITEMS', 'TITLE'],
        [
          ['ice', '7', 'Ice'],
          ['weather', '1,440', ''],
        ],
        undefined,
      ),
    ).toBe(['NAME     ITEMS  TITLE', 'ice          7  Ice', 'weather  1,440', ''].join('\n'))
  })

  it('counts places, not characters: wide ones take two, combining ones none', () => {
    expect(['abc', '日本', 'e\u0301', '🙂'].map(widthOf)).toEqual([3, 4, 1, 2])
    const lines = table(
      ['A', 'B'],
      [
        ['日本', 'x'],
        ['ab', 'x'],
      ],
      undefined,
    ).split('\n')
    expect(lines.slice(1, 3)).toEqual(['日本  x', 'ab    x'])
  })

  it('keeps a cell on its line, whatever a stranger wrote into it', () => {
    expect(table(['A', 'B'], [['one\ntwo\u001b[2J', 'x']], undefined)).toBe(
      'A             B\none two [2J  x\n'.replace('A             B', 'A            B'),
    )
  })

  it('is as wide with colours as without', () => {
    const rows = [[{ text: 'failing', tone: 'bad' as const }, 'x']]
    const coloured = table(['STATE', 'NAME'], rows, styleFor(true, {}))
    expect(coloured).toContain('\u001b[31mfailing\u001b[39m')
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(table(['STATE', 'NAME'], rows, undefined))
  })
})

describe('colours', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
  ])('terminal %s with %o: %s', (isTerminal, env, expected) => {
    expect(styleFor(isTerminal, env)('good', 'x') !== 'x').toBe(expected)
  })

  it('are all that a terminal gets: a title cannot move its cursor, name its window or ring', () => {
    const hostile = 'a\u001b[2Jb\u001b]0;title\u0007c\u0007d\u009b31me\u001b[31mf\u001b[39m\tg\n\u001bch'
    expect(terminalSafe(hostile)).toBe('abcd31me\u001b[31mf\u001b[39m\tg\nh')
  })
})
