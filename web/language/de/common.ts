import { plural } from '../../format/amounts.ts'
import type { Words } from '../words.ts'

export const deCommon = {
  items: (p: { readonly n: number }) => `${plural(p.n, 'Beitrag', 'Beiträge')}`,
  newItems: (p: { readonly n: number }) => `${plural(p.n, 'neuer Beitrag', 'neue Beiträge')}`,
  feeds: (p: { readonly n: number }) => `${plural(p.n, 'Feed', 'Feeds')}`,
  sources: (p: { readonly n: number }) => `${plural(p.n, 'Quelle', 'Quellen')}`,
  readers: (p: { readonly n: number }) => `${plural(p.n, 'Leser', 'Leser')}`,
  checks: (p: { readonly n: number }) => `${plural(p.n, 'Abruf', 'Abrufe')}`,
  minutes: (p: { readonly n: number }) => `${plural(p.n, 'Minute', 'Minuten')}`,
  pages: (p: { readonly n: number }) => `${plural(p.n, 'Seite', 'Seiten')}`,
  characters: (p: { readonly n: number }) => `${plural(p.n, 'Zeichen', 'Zeichen')}`,
  times: (p: { readonly n: number }) => `${plural(p.n, 'Mal', 'Mal')}`,
  noTitle: '(ohne Titel)',
  titleOf: (p: { readonly title: string }) => `${p.title} · Headwater`,
  copied: 'Kopiert',
  selectIt: 'Bitte markieren',
  close: 'Schließen',
  copyFormat: (p: { readonly format: string }) => `${p.format} kopieren`,
  failed: (p: { readonly what: string }) => `${p.what}: fehlgeschlagen`,
  of: (p: { readonly part: string; readonly all: string }) => `${p.part} von ${p.all}`,
  done: 'fertig',
  loading: (p: { readonly what: string }) => `Lädt ${p.what} …`,
  undo: 'Rückgängig',
  copy: 'Kopieren',
} satisfies Words['common']
