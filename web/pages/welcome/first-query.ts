/** A first query feed from words separated by commas: the simplest of the language, to be read and changed. */
export function firstQuery(title: string, words: string): string {
  const texts = words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const where = texts.length === 0 ? '' : `\nWHERE ITEM CONTAINS ${texts.map(quoted).join(' OR ')}`
  return `CREATE FEED ${nameFrom(title)} TITLE ${quoted(title.trim() || 'My first feed')} AS\nRETURN ALL${where};\n`
}

/** Names are letters, digits and single hyphens, and begin with a letter. */
function nameFrom(title: string): string {
  const plain = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^[-\p{N}]+|-+$/gu, '')
    .toLowerCase()
  // Behind the hyphen it cannot be a word of the language.
  return plain === '' ? 'my-first-feed' : plain.includes('-') ? plain : `${plain}-feed`
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
