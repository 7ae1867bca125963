/// <reference path="./markdown-it.d.ts" />
import { posix } from 'node:path'
import MarkdownIt, { type Token } from 'markdown-it'
import type { SitePage } from './outline.ts'

export interface Heading {
  readonly id: string
  readonly level: number
  readonly text: string
}

/** A document as the site shows it, and as its search finds it. */
export interface RenderedDocument {
  readonly html: string
  readonly headings: readonly Heading[]
  /** Text below each heading, in their order. */
  readonly texts: readonly string[]
}

const REPOSITORY = 'https://github.com/headwater-feeds/headwater/blob/main/'
const markdown = new MarkdownIt({ html: true, linkify: false })

export function renderDocument(text: string, document: string, pages: readonly SitePage[]): RenderedDocument {
  const tokens = markdown.parse(text, {})
  const headings: Heading[] = []
  const texts: string[] = []
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1]
    if (token.type === 'heading_open' && inline !== undefined) {
      const heading = headingOf(inline.content, Number(token.tag.slice(1)), headings)
      token.attrSet('id', heading.id)
      headings.push(heading)
      texts.push('')
    } else if (token.type === 'inline' || token.type === 'fence' || token.type === 'code_block') {
      const isHeading = tokens[index - 1]?.type === 'heading_open'
      if (texts.length > 0 && !isHeading) texts[texts.length - 1] += ` ${plain(token.content)}`
      for (const child of token.children ?? []) pointElsewhere(child, document, pages)
    }
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), headings, texts }
}

/** As GitHub names them, so that links work at both places. */
function headingOf(content: string, level: number, before: readonly Heading[]): Heading {
  const text = plain(content)
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const same = before.filter(
    ({ id }) => id === slug || (id.startsWith(`${slug}-`) && /^\d+$/.test(id.slice(slug.length + 1))),
  ).length
  return { id: same === 0 ? slug : `${slug}-${same}`, level, text }
}

function plain(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]|<[^>]*>/g, '')
}

/** Links between documents become links between pages; those to code lead to the repository. */
function pointElsewhere(token: Token, document: string, pages: readonly SitePage[]): void {
  const name = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : null
  const target = name === null ? null : token.attrGet(name)
  if (name === null || target === null || /^(?:[a-z]+:|#)/i.test(target)) return
  const [path = '', anchor] = target.split('#', 2)
  const file = posix.normalize(posix.join(posix.dirname(document), decodeURIComponent(path)))
  const own = pages.find((page) => page.document === document)!
  token.attrSet(name, `${placeOf(file, own, pages)}${anchor === undefined ? '' : `#${anchor}`}`)
}

function placeOf(file: string, own: SitePage, pages: readonly SitePage[]): string {
  const page = pages.find(({ document }) => document === file)
  const path = page?.path ?? (/\.(?:png|svg|webp|gif)$/.test(file) ? file.replace(/^docs\//, '') : null)
  if (path === null) return file === 'docs' || file === 'docs/' ? relativeTo(own, 'index.html') : `${REPOSITORY}${file}`
  return relativeTo(own, path)
}

/** From one page of the site to another, also where it is opened as files. */
export function relativeTo(own: Pick<SitePage, 'path'>, path: string): string {
  return posix.relative(posix.dirname(own.path), path)
}
