import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import type { ParseResult } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { configFor } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { clip, isoOrNull, json } from '../output.ts'
import type { Style } from '../style.ts'
import { table } from '../table.ts'

interface ParseOptions {
  readonly json?: boolean
  readonly raw?: boolean
  readonly contentType?: string
  readonly url?: string
}

export function parseCommand(context: CliContext): Command {
  return new Command('parse')
    .description('Read one feed document and show what is in it')
    .argument('<file|url>', 'a file, an http(s) address, or - for standard input')
    .option('--json', 'print everything as JSON')
    .option('--raw', 'leave HTML as the document has it (by default it is made safe, as in published feeds)')
    .option('--content-type <type>', 'Content-Type that the document came with, for its charset')
    .option('--url <url>', 'address that the document came from, for relative links')
    .option('--allow-range <ranges>', 'also fetch from these addresses: CIDR, loopback, private')
    .addHelpText(
      'after',
      `
Examples:
  $ headwater parse feed.xml
  $ headwater parse feed.xml --json
  $ headwater parse https://example.org/feed.xml --json
  $ curl -s https://example.org/feed | headwater parse - --json`,
    )
    .action(async (name: string, options: ParseOptions, command: Command) => {
      const document = await readDocument(name, options, command, context)
      const { parseFeed } = await import('../../crawler/parse/parse.ts')
      const { parsedToJson } = await import('../../crawler/parse/json.ts')
      const parsed = parseFeed(document.body, { contentType: document.contentType, url: document.url })
      const result = options.raw ? parsed : await madeSafe(parsed, document.url)
      context.out(options.json ? json(parsedToJson(result)) : summary(result, context.style))
      const { unreadable } = await import('../../crawler/refresh-outcome.ts')
      const failure = unreadable(parsed)
      if (failure !== null) throw new HeadwaterError(failure.code, name)
    })
}

interface Document {
  readonly body: Uint8Array
  readonly contentType: string | null
  readonly url: string | null
}

async function readDocument(
  name: string,
  options: ParseOptions,
  command: Command,
  context: CliContext,
): Promise<Document> {
  const documentOptions = { contentType: options.contentType ?? null, url: options.url ?? null }
  if (/^https?:\/\//i.test(name)) return fetchDocument(name, documentOptions, command, context)
  if (name === '-') return { body: await context.readStdin(), ...documentOptions }
  try {
    return { body: await readFile(name), ...documentOptions }
  } catch (cause) {
    throw new HeadwaterError('FILE_UNREADABLE', name, { cause })
  }
}

async function fetchDocument(
  url: string,
  document: Omit<Document, 'body'>,
  command: Command,
  context: CliContext,
): Promise<Document> {
  const { fetcherFor } = await import('../../app/crawling/crawling.ts')
  const fetcher = fetcherFor(await configFor(command, context), context.clock)
  try {
    const fetched = await fetcher.fetch({
      url,
      etag: null,
      lastModified: null,
      headers: {},
      basicAuth: null,
      userAgent: null,
      proxyUrl: null,
      signal: context.signal,
    })
    if (fetched.kind === 'failed') throw new HeadwaterError(fetched.code, fetched.message)
    if (fetched.kind === 'not-modified') throw new HeadwaterError('HTTP_UNEXPECTED', url)
    return {
      body: fetched.body,
      contentType: document.contentType ?? fetched.contentType,
      url: document.url ?? fetched.finalUrl,
    }
  } finally {
    await fetcher.close()
  }
}

async function madeSafe(parsed: ParseResult, url: string | null): Promise<ParseResult> {
  const { sanitizeHtml } = await import('../../publisher/sanitize.ts')
  const safe = (html: string | null, base: string | null) => (html === null ? null : sanitizeHtml(html, base))
  return {
    ...parsed,
    feed: {
      ...parsed.feed,
      title: safe(parsed.feed.title, url),
      description: safe(parsed.feed.description, parsed.feed.link ?? url),
    },
    items: parsed.items.map((item) => ({
      ...item,
      title: safe(item.title, item.link ?? url),
      summary: safe(item.summary, item.link ?? url),
      content: safe(item.content, item.link ?? url),
    })),
  }
}

function summary(parsed: ParseResult, style: Style | undefined): string {
  const { feed, items, problems } = parsed
  const rows = items.map((item) => [
    isoOrNull(item.published)?.slice(0, 16) ?? '–',
    clip(item.title ?? '(no title)', 80),
  ])
  const wrong = problems.map((problem) => `  ${problem.code}: ${problem.message}\n`)
  return [
    `${clip(feed.title ?? '(no title)', 100)}  [${parsed.format}, ${parsed.encoding}]\n`,
    feed.link ? `${feed.link}\n` : '',
    `\n${table(['PUBLISHED', 'TITLE'], rows, style)}`,
    wrong.length > 0 ? `\nWrong with the document:\n${wrong.join('')}` : '',
  ].join('')
}
