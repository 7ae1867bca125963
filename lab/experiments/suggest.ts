import { entryAt } from '../../src/model/entry-at.ts'
/** Known names that someone may have meant, the likeliest first; at most three. */
export function suggestions(name: string, known: readonly string[]): string[] {
  const word = name.toLowerCase()
  return known
    .map((name) => ({ name, distance: name.includes(word) && word.length > 2 ? 1 : editDistance(word, name) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Levenshtein: letters to insert, delete or replace. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = entryAt(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, entryAt(row, j) + 1, entryAt(next, j - 1) + 1))
    }
    row = next
  }
  return entryAt(row, b.length)
}
