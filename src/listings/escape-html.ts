const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

export function escapeSigns(text: string): string {
  return text.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign)
}

/** Of a text that `escapeSigns` made. */
export function unescapeSigns(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
