import { useSyncExternalStore } from 'react'
import { enCore } from './en/core.ts'
import { currentLanguage, isLanguage, type Language, languageFor, setLocale } from './locale.ts'
import type { Words } from './words.ts'

/**
 * The words of the language chosen. They are loaded before anything is drawn, and all is drawn anew when another language is chosen:
 * so code that makes words reads them here when it is called, and never keeps them.
 */
export let t: Words = enCore as Words

const KEY = 'headwater-language'
const listeners = new Set<() => void>()
let arePageWordsWanted = false

/** What is needed on the first page, and what is needed on others: English comes with the program, others when they are needed. */
const LOADERS: Readonly<Record<Language, { core: () => Promise<object>; pages: () => Promise<object> }>> = {
  en: {
    core: async () => enCore,
    pages: () => import('./en/pages.ts').then(({ enPages }) => enPages),
  },
  de: {
    core: () => import('./de/core.ts').then(({ deCore }) => deCore),
    pages: () => import('./de/pages.ts').then(({ dePages }) => dePages),
  },
}

/** Before the first drawing: what the person chose in this browser, else what the browser says they read. */
export function startLanguage(): Promise<void> {
  return use(chosenLanguage() ?? languageFor(navigator.languages))
}

/** For pages other than the first, before they are drawn. */
export async function loadPageWords(): Promise<void> {
  arePageWordsWanted = true
  t = { ...t, ...(await LOADERS[currentLanguage()].pages()) }
}

export function chosenLanguage(): Language | null {
  const code = localStorage.getItem(KEY)
  return isLanguage(code) ? code : null
}

/** Null: as the browser says. */
export async function chooseLanguage(next: Language | null): Promise<void> {
  if (next === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, next)
  tellNode(next)
  await startLanguage()
  for (const tell of listeners) tell()
}

/** For the pages that the node makes itself: the published feeds and the API. */
function tellNode(next: Language | null): void {
  const lasts = next === null ? 'max-age=0' : 'max-age=31536000'
  const { base = '' } = document.documentElement.dataset
  // biome-ignore lint/suspicious/noDocumentCookie: the other way, cookieStore, is not in all browsers
  document.cookie = `${KEY}=${next ?? ''}; path=${base}/; ${lasts}; samesite=lax`
}

export function useLanguage(): Language {
  return useSyncExternalStore((tell) => {
    listeners.add(tell)
    return () => listeners.delete(tell)
  }, currentLanguage)
}

async function use(language: Language): Promise<void> {
  const { core, pages } = LOADERS[language]
  const [first, rest] = await Promise.all([core(), arePageWordsWanted ? pages() : {}])
  t = { ...first, ...rest } as Words
  setLocale(language)
  document.documentElement.lang = language
}
