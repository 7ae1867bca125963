import type { Random } from '../model/index.ts'

/** Node profile (thesis 1.6.2): one place per keyword of the dictionary, 1 where the node publishes on it or wants it. */
export type KeywordProfile = Uint8Array

/** The keywords of a node as its profile; a word that is not in the dictionary is skipped. */
export function profileOf(keywords: Iterable<string>, dictionary: readonly string[]): KeywordProfile {
  const indexes = new Map(dictionary.map((keyword, index) => [keyword, index]))
  const profile = new Uint8Array(dictionary.length)
  for (const keyword of keywords) {
    const index = indexes.get(keyword)
    if (index !== undefined) profile[index] = 1
  }
  return profile
}

/**
 * Each keyword with the same probability, as the profiles of thesis 4.4.1 (sources 0.5, queries 0.4). A node without
 * any keyword would stand for nothing: it gets one.
 */
export function randomProfile(dictionarySize: number, meanShare: number, random: Random): KeywordProfile {
  const profile = new Uint8Array(dictionarySize)
  for (let index = 0; index < dictionarySize; index++) profile[index] = random() < meanShare ? 1 : 0
  if (dictionarySize > 0 && coverage(profile) === 0) profile[Math.floor(random() * dictionarySize)] = 1
  return profile
}

/** How many keywords a profile has. */
export function coverage(profile: KeywordProfile): number {
  let count = 0
  for (const bit of profile) count += bit
  return count
}

/** K₁₁: keywords that both have. */
export function sharedKeywords(a: KeywordProfile, b: KeywordProfile): number {
  let count = 0
  for (let index = 0; index < a.length; index++) count += (a[index] ?? 0) & (b[index] ?? 0)
  return count
}

/**
 * JDist = 1 − K₁₁ / (K₁₀ + K₀₁ + K₁₁), in [0, 1]. Two empty profiles are equal, so 0 apart: the formula itself leaves
 * 0/0 open, and with 0 the distance stays a metric.
 */
export function jaccardDistance(a: KeywordProfile, b: KeywordProfile): number {
  let both = 0
  let either = 0
  for (let index = 0; index < a.length; index++) {
    both += (a[index] ?? 0) & (b[index] ?? 0)
    either += (a[index] ?? 0) | (b[index] ?? 0)
  }
  return either === 0 ? 0 : 1 - both / either
}
