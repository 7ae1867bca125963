// Which test files there are, for scripts that run some of them.
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Paths of the test files of some folders, relative to the checkout, in order; long ones are left out. */
export function testFiles(root, folders) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => filesIn(join(root, folder)))
    .map((path) => relative(root, path))
    .sort()
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return /\.test\.tsx?$/.test(entry.name) && !/\.long\.test\./.test(entry.name) ? [path] : []
  })
}

/** Those whose path has one of the words; all of them without words. */
export function chosenBy(words, paths) {
  return paths.filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
}
