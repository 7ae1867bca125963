import { type Style, type Tone, WITHOUT_COLOURS } from './style.ts'

/** What stands in a cell, with its tone where it has one. */
export type Cell = string | { readonly text: string; readonly tone: Tone }

const CONTROL = /[\u0000-\u001f\u007f-\u009f]+/g
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/gu
const NOTHING = /\p{Mark}|\p{Default_Ignorable_Code_Point}/gu
/** A number with its sign, unit or range, as "≈ 12", "1,440", "3.5 %", "12 kB". */
const NUMBER = /^[≈+−-]?\s?\d[\d,. ]*(?:\s?(?:%|ms|s|min|h|d|B|kB|MB|GB))?$/
const EMPTY = new Set(['', '–'])

/** How many places it takes on a terminal. */
export function widthOf(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0
  return [...text.replace(NOTHING, '')].length + wide
}

/** The table of every command: headings, columns as wide as their content, numbers at the right, the last one free. */
export function table(
  headers: readonly string[],
  rows: readonly (readonly Cell[])[],
  style: Style | undefined,
): string {
  const paint = style ?? WITHOUT_COLOURS
  const heading = headers.map((text) => ({ text, tone: 'heading' as const }))
  return alignedLines([heading, ...rows], { hasHeader: true, style: paint })
    .map((line) => `${line}\n`)
    .join('')
}

/** Rows in columns, two spaces between; a column of numbers alone is aligned at its right. */
export function alignedLines(
  rows: readonly (readonly Cell[])[],
  { hasHeader, style = WITHOUT_COLOURS }: { readonly hasHeader: boolean; readonly style?: Style },
): string[] {
  const cells = rows.map((row) => row.map(cellOf))
  const columns = measureColumns(cells, hasHeader)
  return cells.map((row) =>
    row
      .map(({ text, tone }, column) => {
        const { width, isRight } = columns[column]!
        const space = ' '.repeat(Math.max(0, width - widthOf(text)))
        const words = tone === null ? text : style(tone, text)
        if (isRight) return `${space}${words}`
        return column === row.length - 1 ? words : `${words}${space}`
      })
      .join('  ')
      .trimEnd(),
  )
}

function measureColumns(cells: readonly (readonly { readonly text: string }[])[], hasHeader: boolean) {
  const count = Math.max(0, ...cells.map((row) => row.length))
  return Array.from({ length: count }, (_, column) => {
    const texts = cells.slice(hasHeader ? 1 : 0).map((row) => row[column]?.text ?? '')
    return {
      width: Math.max(0, ...cells.map((row) => widthOf(row[column]?.text ?? ''))),
      isRight: texts.some((text) => !EMPTY.has(text)) && texts.every((text) => EMPTY.has(text) || NUMBER.test(text)),
    }
  })
}

function cellOf(cell: Cell): { readonly text: string; readonly tone: Tone | null } {
  const { text, tone } = typeof cell === 'string' ? { text: cell, tone: null } : cell
  return { text: text.replace(CONTROL, ' '), tone }
}
