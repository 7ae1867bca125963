import type { SourceDescription } from './collection.ts'

/**
 * Categories by keyword lists (thesis 6.1). "economy" is the list it prints; the others are made in its manner, for the
 * subjects that news sites name their sections after.
 */
const CATEGORY_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  economy: [
    ...['economy', 'business', 'trade', 'transaction', 'deal', 'operation', 'commercial', 'finance'],
    ...['market', 'sale', 'auction', 'euro', 'money', 'budget', 'crisis'],
  ],
  politics: ['politics', 'political', 'government', 'election', 'parliament', 'policy', 'minister', 'senate', 'vote'],
  world: ['world', 'international', 'global', 'europe', 'africa', 'asia', 'middle east', 'war', 'conflict'],
  science: ['science', 'research', 'physics', 'biology', 'astronomy', 'space', 'nature', 'chemistry', 'math'],
  technology: [
    ...['technology', 'tech', 'software', 'hardware', 'programming', 'linux', 'computer', 'security', 'internet'],
    ...['mobile', 'android', 'apple', 'web'],
  ],
  health: ['health', 'medicine', 'medical', 'disease', 'hospital', 'nutrition', 'fitness'],
  sport: ['sport', 'football', 'soccer', 'basketball', 'tennis', 'olympics', 'cycling', 'hockey'],
  culture: ['culture', 'art', 'music', 'film', 'movie', 'book', 'theatre', 'literature', 'photography', 'history'],
  games: ['game', 'gaming', 'playstation', 'xbox', 'nintendo'],
  environment: ['environment', 'climate', 'energy', 'ecology', 'weather', 'sustainability'],
  society: ['society', 'education', 'religion', 'law', 'family', 'food', 'travel', 'lifestyle'],
}

/**
 * A feed belongs to a category if one of its keywords is among the feed's categories, among an item's, or in the feed's
 * address (6.1). A keyword stands for itself and its plural, as a whole word; addresses are cut at everything that is no
 * letter.
 */
export function categoriesOf(
  description: SourceDescription,
  keywords: Readonly<Record<string, readonly string[]>> = CATEGORY_KEYWORDS,
): string[] {
  const texts = [...description.feedCategories, ...description.itemCategories, description.url ?? '']
  const words = ` ${texts.map(lettersOnly).join(' ')} `
  return Object.entries(keywords)
    .filter(([, list]) => list.some((keyword) => words.includes(` ${keyword} `) || words.includes(` ${keyword}s `)))
    .map(([category]) => category)
}

function lettersOnly(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
}
