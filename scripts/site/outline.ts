import { readdirSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** A page of the site: the document that it is made from, and where it goes. */
export interface SitePage {
  /** From the root of the checkout; null: made by the script. */
  readonly document: string | null
  readonly path: string
  /** In the navigation; null: as the document's first heading says. */
  readonly label: string | null
}

export interface SiteSection {
  readonly title: string
  readonly pages: readonly SitePage[]
}

const doc = (name: string, label: string | null = null): SitePage => ({
  document: `docs/${name}.md`,
  path: `${name}.html`,
  label,
})
const top = (name: string, path: string, label: string): SitePage => ({ document: `${name}.md`, path, label })

const SECTIONS: readonly SiteSection[] = [
  {
    title: 'Start',
    pages: [
      top('README', 'index.html', 'In one minute'),
      doc('features', 'What it does'),
      doc('tutorials/self-hoster', 'For readers and newsrooms'),
      doc('tutorials/operator', 'For operators'),
      doc('tutorials/library', 'For developers'),
      doc('tutorials/researcher', 'For researchers'),
      top('CHANGELOG', 'changelog.html', 'What is new'),
    ],
  },
  {
    title: 'Use',
    pages: [
      'dashboard',
      'command-line',
      'query-language',
      'readers',
      'addresses',
      'pages',
      'letters',
      'publishing',
      'push',
      'rules',
      'moving',
    ].map((name) => doc(name)),
  },
  {
    title: 'Operate',
    pages: ['install', 'operating', 'sizing', 'cluster', 'access', 'errors'].map((name) => doc(name)),
  },
  {
    title: 'Build',
    pages: [
      doc('library'),
      doc('api'),
      { document: null, path: 'operations.html', label: 'API reference' },
      top('ARCHITECTURE', 'architecture.html', 'Architecture'),
      top('GLOSSARY', 'glossary.html', 'Glossary'),
      top('CONTRIBUTING', 'contributing.html', 'Contributing'),
      top('SECURITY', 'security.html', 'Security'),
    ],
  },
  {
    title: 'Science',
    pages: [
      doc('science', 'When to look'),
      doc('compared-with', 'Compared with'),
      doc('lab', 'The lab'),
      doc('papers', 'The papers'),
    ],
  },
]

/** All of docs/: what no section names comes last, so that no page is lost. */
export function outline(): readonly SiteSection[] {
  const named = new Set(SECTIONS.flatMap(({ pages }) => pages.map(({ document }) => document)))
  const names = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replace(/\.md$/, ''))
    .sort()
  const rest = names.map((name) => doc(name)).filter(({ document }) => !named.has(document))
  const isDecision = ({ path }: SitePage) => path.startsWith('decisions/')
  return [
    ...SECTIONS,
    ...(rest.every(isDecision) ? [] : [{ title: 'More', pages: rest.filter((page) => !isDecision(page)) }]),
    { title: 'Decisions', pages: rest.filter(isDecision) },
  ]
}
