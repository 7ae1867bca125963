import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { readTrace } from '../worlds/trace.ts'
import { type PatternCluster, patternClusters } from './clusters.ts'
import { readDescriptions } from './descriptions.ts'
import { type Analysis, type AnalyzeOptions, analyze, type CollectedSource } from './index.ts'
import { analysisPage } from './page.ts'
import { analysisTables, tableAsText } from './tables.ts'

export interface RunAnalyzeOptions extends AnalyzeOptions {
  /** A trace file; or give `sources` and a `name`, as of a data folder. */
  readonly trace?: string
  readonly sources?: readonly CollectedSource[]
  readonly name?: string
  /** Print JSON instead of tables. */
  readonly json?: boolean
  /** Also write the page with plots to this file. */
  readonly html?: string
  readonly write: (text: string) => void
}

export interface FullAnalysis {
  readonly analysis: Analysis
  readonly clusters: readonly PatternCluster[]
}

/** `headwater analyze`: tables on the terminal, JSON for programs, a page with plots on request. */
export async function runAnalyze(options: RunAnalyzeOptions): Promise<void> {
  const sources = options.sources ?? (await collectionOf(options.trace))
  const full = analyzeCollection(sources, options)
  if (full === null) throw new HeadwaterError('USAGE', 'there is nothing to analyze: no source ever published')
  const name = options.name ?? traceName(options.trace ?? '')
  if (options.html !== undefined) await writeFile(options.html, analysisPage(name, full.analysis, full.clusters))
  if (options.json) options.write(`${JSON.stringify({ ...full.analysis, clusters: full.clusters })}\n`)
  else options.write(`${analysisTables(full.analysis).map(tableAsText).join('\n\n')}\n`)
}

function analyzeCollection(sources: readonly CollectedSource[], options: AnalyzeOptions = {}): FullAnalysis | null {
  const analysis = analyze(sources, options)
  if (analysis === null) return null
  return { analysis, clusters: patternClusters(sources, analysis.span, options.maskedHours) }
}

/** The trace with what a `sources.csv` beside it says about its sources. */
async function collectionOf(path: string | undefined): Promise<readonly CollectedSource[]> {
  if (path === undefined) throw new HeadwaterError('USAGE', 'give a trace file or a data folder')
  const trace = await readTrace(path)
  const list = join(dirname(path), 'sources.csv')
  if (!existsSync(list)) return trace.sources
  const descriptions = readDescriptions(await readFile(list, 'utf8'))
  return trace.sources.map((source) => {
    const description = descriptions.get(source.id)
    return description === undefined ? source : { ...source, description }
  })
}

/** A trace is mostly called trace.csv.gz; its folder says more. */
function traceName(path: string): string {
  const file = basename(path).replace(/\.csv(\.gz)?$/, '')
  return file === 'trace' ? basename(dirname(path)) : file
}
