/**
 * A category is a path of folder names joined with `/`. A folder whose own name holds a slash ("TCP/IP") is written
 * with U+2215 DIVISION SLASH in the path, which looks the same, and gets its slash back when it becomes a folder of an
 * OPML list again.
 */
const SLASH_IN_NAME = '\u2215'

/** Deeper folders are merged into this depth: no reader shows more, and paths would grow without limit. */
const DEEPEST = 20

export function joinCategory(folders: readonly string[]): string {
  return folders
    .slice(0, DEEPEST)
    .map((name) => name.replaceAll('/', SLASH_IN_NAME))
    .join('/')
}

/** Folder names, outermost first; none for an empty path. */
export function splitCategory(category: string): readonly string[] {
  return category
    .split('/')
    .map((name) => tidy(name).replaceAll(SLASH_IN_NAME, '/'))
    .filter((name) => name !== '')
}

/** White space as one space, none around. */
export function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
