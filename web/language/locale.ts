/** The languages that have a catalogue; `web/language/<code>` holds its words. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof LANGUAGES

/** English dates are written as in 16 Nov 2026, whatever the country. */
const DATE_LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' }

let language: Language = 'en'

export function setLocale(next: Language): void {
  language = next
}

export function currentLanguage(): Language {
  return language
}

export function dateLocale(): string {
  return DATE_LOCALES[language]
}

/** The first that we have of those a person reads, in their order. */
export function languageFor(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const code = wish.toLowerCase().split('-')[0] ?? ''
    if (isLanguage(code)) return code
  }
  return 'en'
}

export function isLanguage(code: string | null): code is Language {
  return code !== null && Object.hasOwn(LANGUAGES, code)
}
