import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const TEST = '\\.(test|contract)\\.ts$'

/**
 * model → runtime → pure folders and contracts (cluster among them) → adapters → pipelines → app → api, cli, lab.
 * Each folder may import what its line names, and itself.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  model: [],
  runtime: ['model'],
  refresh: ['model'],
  quality: ['model'],
  network: ['model'],
  access: ['model'],
  buffer: ['model', 'runtime'],
  store: ['model', 'runtime', 'buffer', 'cluster'],
  text: ['model'],
  sources: ['model', 'runtime'],
  http: ['model', 'runtime'],
  crawler: ['model', 'runtime', 'text', 'http', 'refresh', 'quality', 'buffer', 'store'],
  push: ['model', 'runtime', 'http', 'store'],
  listings: ['model', 'runtime', 'text', 'crawler'],
  letters: ['model', 'runtime', 'text', 'store', 'crawler'],
  query: ['model', 'runtime', 'buffer', 'store'],
  articles: ['model', 'runtime', 'text', 'http', 'refresh', 'buffer', 'store', 'crawler'],
  publisher: ['model', 'runtime', 'access', 'http', 'buffer', 'store', 'sources'],
  icons: ['model', 'runtime', 'store', 'sources', 'crawler', 'articles', 'publisher'],
  cluster: ['model', 'runtime', 'refresh'],
  api: ['model', 'runtime', 'access', 'store', 'buffer', 'publisher', 'sources', 'quality', 'cluster'],
  app: [
    'model',
    'runtime',
    'text',
    'access',
    'http',
    'refresh',
    'quality',
    'buffer',
    'store',
    'sources',
    'crawler',
    'articles',
    'icons',
    'listings',
    'letters',
    'query',
    'publisher',
    'cluster',
    'push',
    'network',
    'api',
  ],
  cli: ['model', 'runtime', 'app', 'sources', 'crawler', 'query', 'publisher', 'store', 'refresh', 'quality'],
}

/** Folders that only app/ (and lab/, bench/, tests) may wire; everybody else sees the contract file beside them. */
const ADAPTERS = '^src/(store|buffer)/(sqlite|memory|postgres|nats)/'

const rules: IFlattenedRuleSet = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'src-not-to-lab', severity: 'error', from: { path: '^src/' }, to: { path: '^(lab|bench|web|bin|test)/' } },
    {
      name: 'adapters-wired-by-app',
      severity: 'error',
      from: { path: '^src/', pathNot: `${ADAPTERS}|^src/app/|${TEST}` },
      to: { path: ADAPTERS },
    },
    {
      name: 'web-knows-the-wire-alone',
      severity: 'error',
      from: { path: '^web/', pathNot: TEST },
      to: { path: '^(src|lab|bench|bin|test)/', pathNot: '^src/api/operations/' },
    },
    {
      name: 'index-only-exports',
      severity: 'error',
      from: { path: '^src/(?!index)', pathNot: TEST },
      to: { path: '^src/index' },
    },
    ...Object.entries(ALLOWED).map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      severity: 'error' as const,
      from: { path: `^src/${folder}/`, pathNot: TEST },
      to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
    })),
  ],
}

describe('the house', () => {
  it('has no import cycles, and imports point in the allowed directions only', async () => {
    const { output } = await cruise(['src', 'lab', 'bench', 'bin', 'web'], {
      baseDir: ROOT,
      ruleSet: rules,
      validate: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '\\.test\\.ts$' },
      tsPreCompilationDeps: true,
      enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'] },
    })
    const { modules, summary } = output as ICruiseResult
    expect(modules.length).toBeGreaterThan(20)
    expect(summary.violations.map((v) => `${v.rule.name}: ${v.from} → ${v.to}`)).toEqual([])
  })

  it('gives every folder of src a line in the table above', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
      .filter((e) => e.isDirectory())
      .map((e) => e.name)
    const filled = folders.filter((folder) => sourceFiles(join(ROOT, 'src', folder)).length > 0)
    expect(filled.filter((folder) => !(folder in ALLOWED))).toEqual([])
  })

  it('reads real time and randomness, and asks whether something is an address, in src/runtime only', () => {
    const forbidden = /URL\.canParse\(|Date\.now\(|new Date\(\)|\bDate\(\)|Math\.random\b|performance\.now\(/
    const found = ['src', 'lab', 'bin']
      .flatMap((folder) => sourceFiles(join(ROOT, folder)))
      .filter((path) => !relative(ROOT, path).startsWith(`src${sep}runtime`))
      .flatMap((path) =>
        readFileSync(path, 'utf8')
          .split('\n')
          .flatMap((line, i) => (forbidden.test(line) ? [`${relative(ROOT, path)}:${i + 1} ${line.trim()}`] : [])),
      )
    expect(found).toEqual([])
  })
})

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourceFiles(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })
}
