import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { HEADWATER, type Ran } from '../e2e/cli-process.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** A folder as a reader of the documents has it, with a shell in it, a site to follow and a node. */
export interface DocsStage {
  readonly folder: string
  readonly site: LocalServer
  run(command: string): Promise<Ran>
  /** Starts a node by a command that goes on until it is ended; what it said until it served. */
  serve(command: string, options?: { readonly folder?: string }): Promise<ServedNode>
  close(): Promise<void>
}

export interface ServedNode {
  readonly output: string
  /** Its exit code. */
  end(): Promise<number | null>
}

const DAY_SECONDS = 86_400

const PAGES: Readonly<Record<string, string>> = {
  '/': '<link rel=alternate type="application/rss+xml" href="/news.xml">',
  '/news': `<ul class="news">${['Ice', 'Snow', 'Rain'].map((word, k) => `<li><a href="/${k}">${word} in the north, again</a> <span class="day">2026-11-1${k}</span></li>`).join('')}</ul>`,
  '/prices': '<table id="prices"><tr><td>Tea</td><td>3</td></tr></table>',
}

export async function openDocsStage(patienceMs = PATIENCE_MS): Promise<DocsStage> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-docs-'))
  const site = await startServer((request, response) => {
    const page = PAGES[request.url ?? '']
    response.setHeader('content-type', page === undefined ? 'application/rss+xml' : 'text/html')
    response.end(page ?? feed(request.url!))
  })
  putFiles(folder, site)
  const env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    HEADWATER_ALLOW_RANGE: 'loopback',
    HEADWATER_HOST_SPACING: '0s',
    HEADWATER_PORT: '0',
    HEADWATER_OWNER_PASSWORD: 'the first password',
  }
  const running = new Set<ChildProcess>()
  return {
    folder,
    site,
    run: (command) =>
      new Promise((resolve) => {
        execFile('bash', ['-c', command], { cwd: folder, env, timeout: patienceMs }, (error, out, err) =>
          resolve({ code: error ? Number(error.code) : 0, out, err }),
        )
      }),
    async serve(command, options = {}) {
      const cwd = options.folder ?? folder
      mkdirSync(cwd, { recursive: true })
      const child = spawn('bash', ['-c', `exec ${command}`], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
      running.add(child)
      const exited = once(child, 'exit')
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => void (output += data))
      await Promise.race([waitForServer(child), exited])
      return {
        output,
        async end() {
          child.kill('SIGTERM')
          await exited
          running.delete(child)
          return child.exitCode
        },
      }
    },
    async close() {
      for (const child of running) child.kill('SIGKILL')
      await site.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** It has said where it serves. */
function waitForServer(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (data: Buffer) => {
        if (data.toString().includes('http://127.0.0.1:')) resolve()
      })
    }
  })
}

/** `headwater` and `npx headwater` are the program of this checkout; so is `npm start`. */
function putFiles(folder: string, site: LocalServer): void {
  const program = `exec '${process.execPath}' '${HEADWATER}'`
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'headwater'), `#!/bin/sh\n${program} "$@"\n`)
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\n${program} "$@"\n`)
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nshift\n[ "$1" = -- ] && shift\n${program} serve "$@"\n`)
  for (const name of ['headwater', 'npx', 'npm']) chmodSync(join(bin, name), 0o755)
  const outlines = ['news', 'science', 'sport'].map(
    (name) => `<outline type="rss" text="${name}" xmlUrl="${site.url(`/${name}.xml`)}"/>`,
  )
  const opml = `<opml version="2.0"><body><outline text="News">${outlines.join('')}</outline></body></opml>`
  writeFileSync(join(folder, 'subscriptions.opml'), opml)
  const origin = { feedUrl: site.url('/news.xml'), title: 'news' }
  const saved = [{ guid: 'old', title: 'An old one', categories: ['user/-/state/com.google/starred'], origin }]
  writeFileSync(join(folder, 'starred.json'), JSON.stringify({ items: saved }))
  writeFileSync(join(folder, 'feed.xml'), feed('/feed.xml'))
  writeFileSync(join(folder, 'feeds.query'), 'CREATE FEED volcanoes AS RETURN ALL WHERE ITEM CONTAINS "volcano";\n')
  writeFileSync(join(folder, 'file'), 'a long enough password\n')
  for (const name of ['trace', 'a', 'b']) writeFileSync(join(folder, `${name}.csv.gz`), gzipSync(trace()))
}

function feed(path: string): string {
  const items = [0, 1, 2].map(
    (k) =>
      `<item><guid>${path}${k}</guid><title>Iceland: a volcano, part ${k}</title><link>http://example.org${path}${k}</link></item>`,
  )
  return `<rss version="2.0"><channel><title>Of ${path}</title><language>en</language>${items.join('')}</channel></rss>`
}

/** Three sources for 18 days. */
function trace(): string {
  const from = Date.UTC(2026, 0, 5) / 1000
  const lines = ['source_id,timestamp']
  for (let hour = 0; hour < 18 * 24; hour++) {
    for (const [id, every] of [
      ['a', 1],
      ['b', 3],
      ['c', 7],
    ] as const) {
      if (hour % every === 0) lines.push(`${id},${from + (hour * DAY_SECONDS) / 24 + 60}`)
    }
  }
  return `${lines.join('\n')}\n`
}
