import { entryAt } from '../../src/model/entry-at.ts'
import type { CodeShape, Finding, FolderShape } from './types.ts'

/** The same for people: limits first, then what to look at. */
export function reportOf(shape: CodeShape): string {
  return [
    table(
      ['limit', 'is', 'at most', ''],
      shape.limits.map(({ what, is, atMost, ok }) => [what, is, atMost, ok ? 'ok' : 'BROKEN']),
    ),
    table(
      [
        'folder',
        'lines',
        'files',
        'median',
        '95 %',
        'most',
        'functions',
        'median',
        '95 %',
        'most',
        'x!',
        'x[i]!',
        'as',
      ],
      [...shape.folders, shape.code, shape.tests].map(folderRow),
    ),
    table(
      ['longest files', 'lines'],
      shape.longFiles.map(({ at, lines }) => [at, lines]),
    ),
    table(
      ['longest functions', '', 'lines'],
      shape.longFunctions.map(({ at, name, lines }) => [at, name, lines]),
    ),
    list(
      'Cycles between files',
      shape.cycles.files.map((group) => group.join(' ↔ ')),
    ),
    list(
      'Cycles between folders',
      shape.cycles.folders.map((group) => group.join(' ↔ ')),
    ),
    `${shape.exports.count} exports, ${shape.exports.usedOnce} of them used by one file of the code.`,
    findings('Exports that nobody uses', shape.exports.unused, false),
    findings('Exports that only tests use', shape.exports.forTestsAlone, false),
    findings('Names exported twice', shape.exports.twice, true),
    list('Reasons for what is no longer there', shape.exports.staleReasons),
  ].join('\n\n')
}

function folderRow({ folder, lines, files, functions, nonNull, nonNullOnIndex, casts }: FolderShape): Cell[] {
  const ofFiles = [files.count, files.median, files.p95, files.most]
  const ofFunctions = [functions.count, functions.median, functions.p95, functions.most]
  return [folder, lines, ...ofFiles, ...ofFunctions, nonNull, nonNullOnIndex, casts]
}

function findings(title: string, all: readonly Finding[], withFiles: boolean): string {
  const lines = all.map(({ name, files, why }) => {
    const where = withFiles ? `${name}: ${files.join(', ')}` : name
    return why === null ? where : `${where} (${why})`
  })
  return list(title, lines)
}

function list(title: string, lines: readonly string[]): string {
  return [`${title}: ${lines.length}`, ...lines.map((line) => `  ${line}`)].join('\n')
}

type Cell = string | number

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => String(row[column]).length)))
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          (typeof cell === 'number' || (row === head && column > 0) ? right : left)(cell, entryAt(widths, column)),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const left = (cell: Cell, width: number) => String(cell).padEnd(width)
const right = (cell: Cell, width: number) => String(cell).padStart(width)
