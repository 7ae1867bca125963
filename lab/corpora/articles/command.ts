import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareWithHidden, type HiddenShare } from './hidden.ts'
import { type MeasuredPage, type MemoryFigures, measureMemory, measurePage, medianOf, round } from './measure.ts'
import { judgeAll } from './own/labelled-pages.ts'
import { ARTICLES_FOLDER, type Half, hasArticles, type LabelledPage, readLabelledPages } from './pages.ts'
import { type CorpusScore, scoreCorpus, scorePage } from './score.ts'

const HALVES: readonly Half[] = ['tune', 'held-out']
const USUAL_MEMORY_PAGES = 5_000

/** What the extractor must show on the half that nobody looked at. */
const LEAST_F1 = 0.95
const LEAST_PRECISION = 0.91
const MOST_MEDIAN_CPU_MS = 60
const MOST_CPU_MS = 2_000
const MOST_GROWTH_MB = 40

interface Figures {
  readonly pages: number
  readonly crashes: readonly string[]
  readonly scores: Readonly<Record<Half, CorpusScore>>
  /** What score.py says of the same texts; null: no python3. */
  readonly byScorePy: Readonly<Record<Half, string>> | null
  readonly cpuMs: { readonly median: number; readonly max: number }
  readonly hidden: readonly Omit<HiddenShare, 'wrong'>[]
  /** On forty pages of our own. */
  readonly own: ReturnType<typeof judgeAll>
  readonly memory: MemoryFigures | null
  readonly failedClaims: readonly string[]
}

/** `npm run corpora -- articles [--json] [--worst N] [--memory PAGES]`; the exit code says whether everything holds. */
export async function runArticles(args: readonly string[]): Promise<number> {
  if (!hasArticles) {
    process.stdout.write('articles: skipped, ../shared/corpora/articles is not there.\n')
    return 0
  }
  const numberAfter = (flag: string, otherwise: number) => {
    const at = args.indexOf(flag)
    return at < 0 ? otherwise : Number(args[at + 1])
  }
  const pages = readLabelledPages()
  const measured = pages.map(({ name, page }) => measurePage(name, page))
  const memoryPages = numberAfter('--memory', USUAL_MEMORY_PAGES)
  const memory =
    memoryPages > 0
      ? await measureMemory(
          pages.map(({ page }) => page),
          memoryPages,
        )
      : null
  const figures = summarize(pages, measured, memory)
  if (args.includes('--json')) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
  else process.stdout.write(describe(figures))
  process.stdout.write(worstPages(pages, measured, numberAfter('--worst', 0)))
  return figures.failedClaims.length === 0 ? 0 : 1
}

function summarize(
  pages: readonly LabelledPage[],
  measured: readonly MeasuredPage[],
  memory: MemoryFigures | null,
): Figures {
  const texts = new Map(
    measured.map(({ name, extraction }) => [name, extraction?.kind === 'article' ? extraction.article.text : '']),
  )
  const scoreOf = (half: Half) => {
    const chosen = pages.filter((page) => page.half === half)
    return scoreCorpus(chosen.map(({ name, body }) => scorePage(name, texts.get(name) ?? '', body)))
  }
  const cpu = measured.map(({ cpuMs }) => cpuMs)
  const figures = {
    pages: pages.length,
    crashes: measured.flatMap(({ name, crash }) => (crash === null ? [] : [`${name}: ${crash}`])),
    scores: { tune: scoreOf('tune'), 'held-out': scoreOf('held-out') },
    byScorePy: scoredByPython(pages, texts),
    cpuMs: { median: round(medianOf(cpu)), max: round(Math.max(...cpu)) },
    own: judgeAll(),
    hidden: compareWithHidden(pages).map(({ wrong: _, ...share }) => share),
    memory,
  }
  return { ...figures, failedClaims: failedClaims(figures) }
}

function failedClaims({ crashes, scores, byScorePy, cpuMs, memory }: Omit<Figures, 'failedClaims'>): string[] {
  const heldOut = scores['held-out']
  const claims: [boolean, string][] = [
    [crashes.length === 0, `${crashes.length} crashes`],
    [heldOut.f1 >= LEAST_F1, `F1 ${heldOut.f1} of the held-out half is below ${LEAST_F1}`],
    [
      heldOut.precision >= LEAST_PRECISION,
      `precision ${heldOut.precision} of the held-out half is below ${LEAST_PRECISION}`,
    ],
    [
      cpuMs.median <= MOST_MEDIAN_CPU_MS,
      `the median page takes ${cpuMs.median} ms of CPU, more than ${MOST_MEDIAN_CPU_MS}`,
    ],
    [cpuMs.max <= MOST_CPU_MS, `a page takes ${cpuMs.max} ms of CPU, more than ${MOST_CPU_MS}`],
    [
      memory === null || memory.rssLateMb - memory.rssEarlyMb <= MOST_GROWTH_MB,
      `memory grows from ${memory?.rssEarlyMb} to ${memory?.rssLateMb} MB`,
    ],
    ...HALVES.map((half): [boolean, string] => [
      byScorePy === null || byScorePy[half].includes(` F1 ${scores[half].f1.toFixed(3)} `),
      `score.py says otherwise of ${half}: ${byScorePy?.[half]}`,
    ]),
  ]
  return claims.filter(([holds]) => !holds).map(([, claim]) => claim)
}

/** score.py itself, where there is python3: ours must say the same. */
function scoredByPython(
  pages: readonly LabelledPage[],
  texts: ReadonlyMap<string, string>,
): Record<Half, string> | null {
  const folder = mkdtempSync(join(tmpdir(), 'articles-'))
  try {
    const lines = HALVES.map((half) => {
      const chosen = pages.filter((page) => page.half === half)
      const truth = Object.fromEntries(
        chosen.map(({ name, body, page }) => [name, { articleBody: body, url: page.url }]),
      )
      const found = Object.fromEntries(chosen.map(({ name }) => [name, texts.get(name) ?? '']))
      writeFileSync(join(folder, 'truth.json'), JSON.stringify(truth))
      writeFileSync(join(folder, 'found.json'), JSON.stringify(found))
      const script = join(ARTICLES_FOLDER, '../score.py')
      const { status, stdout } = spawnSync('python3', [script, 'truth.json', 'found.json'], {
        cwd: folder,
        encoding: 'utf8',
      })
      return status === 0 ? stdout.trim() : null
    })
    const [tune, heldOut] = lines
    return tune == null || heldOut == null ? null : { tune, 'held-out': heldOut }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function describe(figures: Figures): string {
  const { pages, crashes, scores, byScorePy, cpuMs, hidden, own, memory, failedClaims } = figures
  const score = (half: Half) => {
    const { pages: count, f1, precision, recall, empty } = scores[half]
    return `  ${half.padEnd(8)} ${count} pages: F1 ${f1.toFixed(3)}, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, ${empty} without text`
  }
  const lines = [
    `articles: ${pages} pages, ${crashes.length} crashes, ${cpuMs.median} ms of CPU at the median, ${cpuMs.max} ms at most`,
    ...HALVES.map(score),
    byScorePy === null ? '  score.py was not run: no python3' : '  score.py says the same',
    ...hidden.map(
      ({ part, right, given, labelled }) =>
        `  ${part}: ${right} of ${labelled} as in the hidden JSON-LD (${((100 * right) / Math.max(1, labelled)).toFixed(1)} %), ${given} given`,
    ),
    `  on pages of our own: ${own.map(({ part, right, labelled }) => `${part} ${right} of ${labelled}`).join(', ')}`,
    memory === null
      ? '  memory was not measured'
      : `  memory over ${memory.pages} pages: ${memory.rssEarlyMb} MB early, ${memory.rssLateMb} MB late, ${memory.cpuMsPerPage} ms of CPU a page`,
    ...failedClaims.map((claim) => `  FAILED: ${claim}`),
  ]
  return `${lines.join('\n')}\n`
}

/** Of the half that may be looked at. */
function worstPages(pages: readonly LabelledPage[], measured: readonly MeasuredPage[], count: number): string {
  const extractions = new Map(measured.map(({ name, extraction }) => [name, extraction]))
  const scores = pages
    .filter(({ half }) => half === 'tune')
    .map(({ name, body, page }) => {
      const extraction = extractions.get(name)
      return { ...scorePage(name, extraction?.kind === 'article' ? extraction.article.text : '', body), url: page.url }
    })
  const worst = scores.sort((a, b) => a.f1 - b.f1).slice(0, count)
  return worst
    .map(
      ({ name, f1, precision, recall, url }) =>
        `  ${f1.toFixed(2)} (precision ${precision?.toFixed(2)}, recall ${recall.toFixed(2)}) ${name} ${url}\n`,
    )
    .join('')
}
