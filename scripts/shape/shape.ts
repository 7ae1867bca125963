import { cyclesOf, folderCycles, type Graph } from './cycles.ts'
import type { Alike, Explanations } from './explained.ts'
import { groupBy } from './group.ts'
import { limitsOf } from './limits.ts'
import { quantilesOf } from './quantiles.ts'
import type { FileSyntax } from './syntax.ts'
import type { CodeShape, ExportShape, Finding, FolderShape, NamedFunction } from './types.ts'
import { exportUses, importedPath, type Use } from './uses.ts'

const SHOWN = 10

export function measureCode(
  files: readonly FileSyntax[],
  entries: ReadonlySet<string>,
  explained: Explanations,
): CodeShape {
  const code = files.filter(({ isTest }) => !isTest)
  const graph = graphOf(code)
  const measured = {
    code: folderShape('code', code),
    tests: folderShape(
      'tests',
      files.filter(({ isTest }) => isTest),
    ),
    folders: byFolder(files),
    longFiles: longest(code.map(({ path, lines }) => ({ at: path, name: '', lines }))),
    longFunctions: longest(
      code.flatMap(({ path, functions }) =>
        functions.map(({ name, line, lines }) => ({ at: `${path}:${line}`, name, lines })),
      ),
    ),
    cycles: { files: cyclesOf(graph), folders: folderCycles(graph) },
    exports: exportShape(files, entries, explained),
  }
  return { limits: limitsOf(measured), ...measured }
}

function byFolder(files: readonly FileSyntax[]): FolderShape[] {
  const groups = groupBy(files, ({ path, isTest }) => (isTest ? testFolder(path) : folderOf(path)))
  return [...groups]
    .map(([folder, members]) => folderShape(folder, members))
    .sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

/** `src/crawler`, `bench`; what is in `src` itself is `src`. */
function folderOf(path: string): string {
  return path.split('/').slice(0, -1).slice(0, 2).join('/')
}

const testFolder = (path: string) => (path.startsWith('test/') ? folderOf(path) : `${path.split('/')[0]} (its tests)`)

function folderShape(folder: string, files: readonly FileSyntax[]): FolderShape {
  const sum = (value: (file: FileSyntax) => number) => files.reduce((total, file) => total + value(file), 0)
  return {
    folder,
    lines: sum(({ lines }) => lines),
    files: quantilesOf(files.map(({ lines }) => lines)),
    functions: quantilesOf(files.flatMap(({ functions }) => functions.map(({ lines }) => lines))),
    nonNull: sum(({ nonNull }) => nonNull),
    nonNullOnIndex: sum(({ nonNullOnIndex }) => nonNullOnIndex),
    casts: sum(({ casts }) => casts),
  }
}

const longest = (all: readonly NamedFunction[]) => [...all].sort((a, b) => b.lines - a.lines).slice(0, SHOWN)

function graphOf(files: readonly FileSyntax[]): Graph {
  const known = new Map(files.map((file) => [file.path, file]))
  return new Map(
    files.map(({ path, imports }) => [
      path,
      new Set(imports.flatMap(({ file }) => importedPath(path, file, known) ?? []).filter((target) => target !== path)),
    ]),
  )
}

function exportShape(files: readonly FileSyntax[], entries: ReadonlySet<string>, explained: Explanations): ExportShape {
  const uses = exportUses(new Map(files.map((file) => [file.path, file])), entries)
  const tests = new Set(files.filter(({ isTest }) => isTest).map(({ path }) => path))
  const own = uses.filter(({ file }) => !tests.has(file))
  const findings = {
    unused: own.filter(isUnused).map((use) => finding(use, explained, [])),
    forTestsAlone: own.filter(isForTestsAlone).map((use) => finding(use, explained, explained.forTests)),
    twice: exportedTwice(own, explained),
  }
  return {
    count: own.length,
    usedOnce: own.filter(({ byCode }) => byCode === 1).length,
    ...findings,
    staleReasons: staleReasons(findings, explained),
  }
}

function finding({ file, name: exported }: Use, explained: Explanations, kinds: Explanations['forTests']): Finding {
  const name = `${file} ${exported}`
  const why = explained.unused[name] ?? kinds.find(({ files }) => files.test(file))?.why ?? null
  return { name, files: [file], why }
}

function staleReasons(
  { unused, forTestsAlone, twice }: Pick<ExportShape, 'unused' | 'forTestsAlone' | 'twice'>,
  explained: Explanations,
): string[] {
  const names = new Set([...unused, ...forTestsAlone, ...twice].map(({ name }) => name))
  const byName = [...Object.keys(explained.unused), ...Object.keys(explained.twice)].filter((name) => !names.has(name))
  const isMet = (kind: RegExp) => forTestsAlone.some(({ files }) => files.some((file) => kind.test(file)))
  return [...byName, ...explained.forTests.filter(({ files }) => !isMet(files)).map(({ files }) => String(files))]
}

/** A type that its own file uses is part of a signature: a caller may want to name it. */
const isUnused = (use: Use) => use.byCode + use.byTests === 0 && !(use.isType && use.isUsedInside)

const isForTestsAlone = (use: Use) => use.byCode === 0 && use.byTests > 0 && !use.isUsedInside

function exportedTwice(uses: readonly Use[], explained: Explanations): Finding[] {
  const declared = uses.filter(({ from, name }) => from === null && name !== 'default')
  return [...groupBy(declared, ({ name }) => name)]
    .map(([name, found]) => ({ name, files: [...new Set(found.map(({ file }) => file))].sort() }))
    .filter(({ files }) => files.length > 1)
    .map(({ name, files }) => ({ name, files, why: explained.twice[name] ?? likeness(files, explained.alike) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Why files may share a name: files of one kind count as one, those of a kind apart not at all. */
function likeness(files: readonly string[], kinds: readonly Alike[]): string | null {
  let remaining = files
  const why: string[] = []
  for (const kind of kinds) {
    const others = remaining.filter((file) => !kind.files.test(file))
    const members = remaining.length - others.length
    if (members === 0 || (members === 1 && !kind.isApart)) continue
    remaining = kind.isApart ? others : [...others, remaining.find((file) => kind.files.test(file))!]
    why.push(kind.why)
  }
  return remaining.length > 1 ? null : why.join('; ')
}
