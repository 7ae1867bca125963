import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openApiOf } from '../../src/api/openapi.ts'
import { ALL_OPERATIONS } from '../../src/api/operations/index.ts'
import { withFigures } from './charts.ts'
import { withComparison } from './compared.ts'
import { renderDocument } from './markdown.ts'
import { operationsPage } from './operations.ts'
import { outline, ROOT, type SitePage } from './outline.ts'
import { documentPage, type PageContent } from './page.ts'
import { type Found, searchIndex } from './search-index.ts'

/** Writes the whole site into a folder; no network, and nothing that a browser could not open as files. */
export function buildSite(target: string): { readonly pages: number } {
  const sections = outline()
  const pages = sections.flatMap((section) => section.pages)
  rmSync(target, { recursive: true, force: true })
  const contents = new Map(pages.map((page) => [page.path, contentOf(page, pages)]))
  const labels = new Map(pages.map(({ path, label }) => [path, label ?? contents.get(path)!.title]))
  for (const page of pages) write(target, page.path, documentPage(page, contents.get(page.path)!, sections, labels))
  write(target, 'site/search-index.js', searchIndex(contents, labels))
  write(target, 'site/site.css', styles(target))
  write(target, 'site/site.js', readFileSync(join(import.meta.dirname, 'site.js'), 'utf8'))
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const contract = openApiOf(ALL_OPERATIONS, { version, serverUrl: 'http://127.0.0.1:8080' })
  write(target, 'openapi.json', `${JSON.stringify(contract, null, 1)}\n`)
  cpSync(join(ROOT, 'docs/screenshots'), join(target, 'screenshots'), { recursive: true })
  return { pages: pages.length }
}

function contentOf(page: SitePage, pages: readonly SitePage[]): PageContent & Found {
  if (page.document === null) return operationsPage()
  const text = readFileSync(join(ROOT, page.document), 'utf8')
  const { html, headings, texts } = renderDocument(text, page.document, pages)
  return { title: headings[0]?.text ?? page.path, html: withComparison(withFigures(html)), headings, texts }
}

/** Tokens and fonts of the dashboard, the files of the fonts beside the style. */
function styles(target: string): string {
  const [fonts, tokens] = ['fonts', 'tokens'].map((name) => readFileSync(join(ROOT, `web/styles/${name}.css`), 'utf8'))
  const own = readFileSync(join(import.meta.dirname, 'site.css'), 'utf8')
  const copied = (fonts ?? '').replace(/url\("(@fontsource[^"]+)"\)/g, (_, path: string) => {
    cpSync(join(ROOT, 'node_modules', path), join(target, 'site/fonts', basename(path)))
    return `url("fonts/${basename(path)}")`
  })
  return `${copied}\n${tokens}\n${own}`
}

function write(target: string, path: string, text: string): void {
  mkdirSync(dirname(join(target, path)), { recursive: true })
  writeFileSync(join(target, path), text)
}
