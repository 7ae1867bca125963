import { parseUrl } from '../../../runtime/parse-url.ts'
import type { DomElement } from './dom.ts'

const LONGEST_ADDRESS = 4_096

/** The absolute address that a page means; null where it means none of the web. */
export function absoluteAddress(text: string | null | undefined, base: string): string | null {
  const trimmed = text?.trim()
  if (trimmed === undefined || trimmed === '' || trimmed.length > LONGEST_ADDRESS) return null
  const url = parseUrl(trimmed, base)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
}

const OTHER_SCHEMES = /^(?:mailto|tel|data:image\/)/i

/** Makes every address below an element absolute; what cannot be one is removed. */
export function makeAbsolute(root: DomElement, base: string): void {
  for (const name of ['href', 'src', 'poster', 'cite']) {
    for (const element of root.querySelectorAll(`[${name}]`)) {
      const value = element.getAttribute(name) ?? ''
      const address = OTHER_SCHEMES.test(value) ? value : absoluteAddress(value, base)
      if (address === null) element.removeAttribute(name)
      else if (address !== value) element.setAttribute(name, address)
    }
  }
  for (const element of root.querySelectorAll('[srcset]')) {
    const srcset = absoluteSrcset(element.getAttribute('srcset') ?? '', base)
    if (srcset === '') element.removeAttribute('srcset')
    else element.setAttribute('srcset', srcset)
  }
}

/** Candidates are separated by a comma and white space; an address may hold commas. */
export function srcsetCandidates(srcset: string): { readonly address: string; readonly descriptor: string }[] {
  return srcset
    .split(/,\s+|\s+,|,(?=https?:|\/\/)/)
    .map((candidate) => candidate.trim().split(/\s+/))
    .flatMap(([address = '', descriptor = '']) => (address === '' ? [] : [{ address, descriptor }]))
}

function absoluteSrcset(srcset: string, base: string): string {
  return srcsetCandidates(srcset)
    .flatMap(({ address, descriptor }) => {
      const absolute = absoluteAddress(address, base)
      return absolute === null ? [] : [`${absolute} ${descriptor}`.trim()]
    })
    .join(', ')
}
