import { relativeTo } from './markdown.ts'
import type { SitePage, SiteSection } from './outline.ts'

export interface PageContent {
  readonly title: string
  readonly html: string
  readonly headings: readonly { readonly id: string; readonly level: number; readonly text: string }[]
}

const inHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** One page: navigation at its side, search above, its own sections at the other side. */
export function documentPage(
  page: SitePage,
  content: PageContent,
  sections: readonly SiteSection[],
  labels: ReadonlyMap<string, string>,
): string {
  const to = (path: string) => relativeTo(page, path)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${inHtml(content.title)} · Headwater</title>
<link rel="stylesheet" href="${to('site/site.css')}">
<script defer src="${to('site/search-index.js')}"></script>
<script defer src="${to('site/site.js')}" data-root="${to('index.html').replace(/index\.html$/, '')}"></script>
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="name" href="${to('index.html')}">Headwater</a>
<form role="search"><label><span class="hidden">Search</span><input type="search" placeholder="Search (press /)" autocomplete="off" aria-controls="found"></label></form>
<a class="pages" href="#pages">Pages</a>
<div id="found" class="found" role="region" aria-live="polite" aria-label="What was found" hidden></div>
</header>
<div class="columns">
<nav id="pages" aria-label="Pages">${navigation(page, sections, labels)}</nav>
<main id="content">${content.html}</main>
${contents(content)}
</div>
</body>
</html>
`
}

function navigation(own: SitePage, sections: readonly SiteSection[], labels: ReadonlyMap<string, string>): string {
  return sections
    .map(({ title, pages }) => {
      const isOpen = title !== 'Decisions' || pages.includes(own)
      const links = pages.map((page) => {
        const here = page.path === own.path ? ' aria-current="page"' : ''
        return `<li><a href="${relativeTo(own, page.path)}"${here}>${inHtml(labels.get(page.path) ?? page.path)}</a></li>`
      })
      return `<details${isOpen ? ' open' : ''}><summary>${title}</summary><ul>${links.join('')}</ul></details>`
    })
    .join('\n')
}

function contents({ headings }: PageContent): string {
  const own = headings.filter(({ level }) => level === 2)
  if (own.length < 3) return '<div></div>'
  const links = own.map(({ id, text }) => `<li><a href="#${id}">${inHtml(text)}</a></li>`)
  return `<aside aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></aside>`
}
