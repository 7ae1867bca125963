import type { Arrival, DetectLanguage } from './arrival.ts'
import type { FieldText } from './texts.ts'
import { MASKS } from './texts.ts'

const ENOUGH_CHARACTERS = 1_000

/** What the item or its feed declares, else what the text looks like; lower case, '' if unknown. */
export function languageOf({ item, source }: Arrival, texts: readonly FieldText[], detect: DetectLanguage): string {
  const declared = item.language ?? source.language
  if (declared !== null && declared.trim() !== '') return declared.trim().toLowerCase().replaceAll('_', '-')
  let sample = ''
  for (const { mask, text } of texts) {
    if ((mask & (MASKS.TITLE | MASKS.DESCRIPTION | MASKS.CONTENT)) === 0 || sample.length >= ENOUGH_CHARACTERS) continue
    sample += `${text.slice(0, ENOUGH_CHARACTERS)} `
  }
  return sample === '' ? '' : detect(sample.slice(0, ENOUGH_CHARACTERS))
}

/** eld takes half a second and 150 MB to load, so only who needs it does. */
export async function loadLanguageDetector(): Promise<DetectLanguage> {
  const { eld } = await import('eld/small')
  return (text) => eld.detect(text).language
}
