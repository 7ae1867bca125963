import { parseArgs } from 'node:util'
import { runWorldCommand } from './command.ts'
import { PAGE_STYLES } from './older-pages.ts'

const HELP = `Serves synthetic feeds on 127.0.0.1.

  --feeds N     how many (100)            --window W   items a feed shows (20)
  --items R     mean items per feed and virtual day (20)
  --speed F     virtual seconds per second (1); 0: time stands still
  --seed S      the same seed, the same world (1)
  --odd SHARE   share of feeds with bad habits, 0 to 1 (0)
  --per-host M  feeds under one host name (1)
  --pages P     older pages per feed (0)
  --page-style  how it offers them: paged, archive (RFC 5005) or wordpress (paged)
  --max-age S   Cache-Control of feeds    --port P     (0: any free one)
  --trace FILE  the sources of a trace instead of generated ones
  --demo        the world of headwater serve --demo
  --json        one line of JSON when ready
  --until-parent-exits

Example: node dist/lab/worlds/main.js --feeds 1000 --speed 60 --json
`

const number = { type: 'string' } as const
const flag = { type: 'boolean' } as const

function read() {
  return parseArgs({
    options: {
      feeds: number,
      window: number,
      items: number,
      speed: number,
      seed: number,
      port: number,
      odd: number,
      'per-host': number,
      pages: number,
      'page-style': { type: 'string' },
      'max-age': number,
      trace: { type: 'string' },
      demo: flag,
      json: flag,
      'until-parent-exits': flag,
      help: flag,
    },
  }).values
}

function numberOf(name: string, text: string | undefined): Record<string, number> {
  if (text === undefined) return {}
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new Error(`${name}: "${text}" is not a number`)
  return { [name]: value }
}

async function main(): Promise<number> {
  let values: ReturnType<typeof read>
  let numbers: Record<string, number>
  try {
    values = read()
    numbers = {
      ...numberOf('feeds', values.feeds),
      ...numberOf('window', values.window),
      ...numberOf('items', values.items),
      ...numberOf('speed', values.speed),
      ...numberOf('seed', values.seed),
      ...numberOf('port', values.port),
      ...numberOf('odd', values.odd),
      ...numberOf('perHost', values['per-host']),
      ...numberOf('pages', values.pages),
      ...numberOf('maxAge', values['max-age']),
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
    return 2
  }
  const pageStyle = PAGE_STYLES.find((style) => style === values['page-style'])
  if (values['page-style'] !== undefined && pageStyle === undefined) {
    process.stderr.write(`page-style: ${PAGE_STYLES.join(', ')}\n\n${HELP}`)
    return 2
  }
  if (values.help === true) {
    process.stdout.write(HELP)
    return 0
  }
  return runWorldCommand({
    ...numbers,
    ...(values.trace === undefined ? {} : { trace: values.trace }),
    ...(pageStyle === undefined ? {} : { pageStyle }),
    demo: values.demo === true,
    json: values.json === true,
    untilParentExits: values['until-parent-exits'] === true,
  })
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  },
)
