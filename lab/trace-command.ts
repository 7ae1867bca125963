import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { learnFrom } from '../src/app/crawling/models.ts'
import { findSourceByName, shownName } from '../src/app/sources/import-sources.ts'
import { withNewSession, withSession } from '../src/cli/cli-session.ts'
import type { CliContext } from '../src/cli/context.ts'
import { json } from '../src/cli/output.ts'
import { HOUR_MS, type Observation, type Source, type SourceId } from '../src/model/index.ts'
import { HeadwaterError } from '../src/runtime/errors.ts'
import type { Store } from '../src/store/store.ts'
import { archivedTimes } from './collected.ts'
import { SourceRun } from './simulator/source-run.ts'
import { simSource } from './simulator/world.ts'
import type { ExportOptions, TraceImportOptions } from './trace-options.ts'
import { readTrace, type TraceSource } from './worlds/trace.ts'

export async function runExport(options: ExportOptions, command: Command, context: CliContext): Promise<void> {
  await withSession(command, context, async ({ data }) => {
    const sources = await data.store.sources()
    const lines = Readable.from(traceLines(sources, data.store))
    if (options.output === undefined) for await (const line of lines) context.out(String(line))
    else await writeLines(lines, options.output)
    if (options.sources !== undefined) await writeFile(options.sources, described(sources))
  })
}

async function* traceLines(sources: readonly Source[], store: Store): AsyncGenerator<string> {
  yield 'source_id,timestamp\n'
  for (const { id } of sources) {
    const times = (await archivedTimes(id, store)).toSorted((a, b) => a - b)
    if (times.length > 0) yield times.map((at) => `${id},${Math.floor(at / 1000)}\n`).join('')
  }
}

async function writeLines(lines: Readable, path: string): Promise<void> {
  try {
    if (path.endsWith('.gz')) await pipeline(lines, createGzip(), createWriteStream(path))
    else await pipeline(lines, createWriteStream(path))
  } catch (cause) {
    throw new HeadwaterError('FILE_UNWRITABLE', `${path}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

function described(sources: readonly Source[]): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const lines = sources.map((source) => [source.id, quoted(source.url), quoted(shownName(source))].join(','))
  return `${['source_id,url,title', ...lines].join('\n')}\n`
}

export async function runImport(
  path: string,
  options: TraceImportOptions,
  command: Command,
  context: CliContext,
): Promise<void> {
  await withNewSession(command, context, async ({ data, config }) => {
    const now = context.clock.now()
    const unknown: string[] = []
    let learnt = 0
    for (const published of (await readTrace(path)).sources) {
      const source = await findByName(published.id, data.store)
      if (source === null) {
        unknown.push(published.id)
        continue
      }
      // All of it was gathered to learn from.
      const observations = hourlyObservations(source.id, published, now).map((observation) => ({
        ...observation,
        cause: 'learning' as const,
      }))
      await learnFrom(source, observations, { config, store: data.store, now })
      learnt++
    }
    if (options.json) return context.out(json({ learnt, unknown }))
    context.out(`Learnt ${learnt} sources from ${path}\n`)
    if (unknown.length > 0) context.out(`No such source: ${unknown.join(', ')}\n`)
  })
}

async function findByName(name: string, store: Store): Promise<Source | null> {
  try {
    return await findSourceByName(name, store)
  } catch (error) {
    if (error instanceof HeadwaterError) return null
    throw error
  }
}

const LONGEST_HOURS = 1_000

/** What hourly refreshes would have seen in the last six weeks of the trace; nothing after now. */
function hourlyObservations(sourceId: SourceId, { times }: TraceSource, now: number): Observation[] {
  const last = Math.min(times.at(-1) ?? now, now)
  const hours = Math.min(LONGEST_HOURS, Math.ceil((last - (times[0] ?? last)) / HOUR_MS) + 1)
  const run = new SourceRun(simSource(sourceId, times, Number.POSITIVE_INFINITY))
  return Array.from({ length: hours }, (_, k) => run.refresh(last - (hours - 1 - k) * HOUR_MS))
}
