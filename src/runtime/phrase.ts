type Word = string | number

/** A phrase within a phrase. */
export interface PlainPhrase {
  readonly form: string
  readonly params: readonly Word[]
}

export type PhrasePart = Word | PlainPhrase
export type PhraseParam = PhrasePart | readonly PhrasePart[]

/**
 * A sentence for people and what stands in it, apart: who speaks another language looks up the form, as `There is no field {1}`.
 * A list of parameters is a choice: one of them.
 */
export interface Phrase {
  readonly form: string
  readonly params: readonly PhraseParam[]
}

/** phrase`There is no field ${name}` */
export function phrase(texts: TemplateStringsArray, ...params: readonly Word[]): PlainPhrase
export function phrase(texts: TemplateStringsArray, ...params: readonly PhraseParam[]): Phrase
export function phrase(texts: TemplateStringsArray, ...params: readonly PhraseParam[]): Phrase {
  return { form: texts.reduce((form, text, i) => `${form}{${i}}${text}`), params }
}

/** A sentence without parameters. */
export function plainPhrase(form: string): PlainPhrase {
  return { form, params: [] }
}

/** In English. */
export function phraseText({ form, params }: Phrase): string {
  return form.replace(/\{(\d+)\}/g, (_all, number: string) => paramText(params[Number(number) - 1] ?? ''))
}

function paramText(param: PhraseParam): string {
  if (typeof param !== 'object') return String(param)
  if ('form' in param) return phraseText(param)
  const parts = param.map(paramText)
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} or ${parts[parts.length - 1]}`
}
