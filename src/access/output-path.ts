/** What a file is written to before it takes its place. */
const DRAFT_ENDING = '.new'

/**
 * The same for all writings of a path that some file system may take for one file: `.` and `..`, doubled slashes, capitals,
 * composed and decomposed letters, and what a draft of the file is called. The first who takes it has all of them.
 */
export function outputPathKey(path: string): string {
  const folders: string[] = []
  for (const name of path.replaceAll('\\', '/').split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..') folders.pop()
    else folders.push(foldName(name))
  }
  return folders.join('/')
}

/** Dots and blanks at the end of a name are none on some systems. */
function foldName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[. ]+$/, '')
  return withoutDraft(plain) || name
}

function withoutDraft(name: string): string {
  return name.endsWith(DRAFT_ENDING) ? withoutDraft(name.slice(0, -DRAFT_ENDING.length)) : name
}
