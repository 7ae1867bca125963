import type { CodeShape, Finding, Limit } from './types.ts'

/** What we hold ourselves to; the sizes are smaller than those of the projects that we learn from. Tests have none. */
export function limitsOf({ code, cycles, exports }: Omit<CodeShape, 'limits'>): Limit[] {
  return [
    limit('median of lines per file', code.files.median, 80),
    limit('95th percentile of lines per file', code.files.p95, 250),
    limit('lines of the longest file', code.files.most, 450),
    limit('95th percentile of lines per function', code.functions.p95, 25),
    limit('cycles between files', cycles.files.length, 0),
    limit('cycles between folders', cycles.folders.length, 0),
    limit('exports that nobody uses, unexplained', unexplained(exports.unused), 0),
    limit('exports that only tests use, unexplained', unexplained(exports.forTestsAlone), 0),
    limit('names exported twice, unexplained', unexplained(exports.twice), 0),
    limit('reasons for what is no longer there', exports.staleReasons.length, 0),
  ]
}

function limit(what: string, is: number, atMost: number): Limit {
  return { what, is, atMost, ok: is <= atMost }
}

const unexplained = (findings: readonly Finding[]) => findings.filter(({ why }) => why === null).length
