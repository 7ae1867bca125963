import { type FileHandle, open } from 'node:fs/promises'

/** How much is read at a time while looking backwards for the last whole line. */
const CHUNK_BYTES = 64 * 1024
const NEWLINE = 0x0a

/**
 * Appends lines to a file, and takes away first what a crash has left of a line half written. `afterLast` gets the last
 * line that is there (null: none) and says which lines are to follow, so that what was written just before a crash is
 * not written again. Resolves when everything is on the disk.
 */
export async function appendLines(
  path: string,
  afterLast: (last: string | null) => readonly string[],
): Promise<number> {
  const file = await open(path, 'a+')
  try {
    const { size } = await file.stat()
    const end = await lineEnd(file, size)
    if (end < size) await file.truncate(end)
    const start = end === 0 ? 0 : await lineEnd(file, end - 1)
    const lines = afterLast(end === 0 ? null : await textOf(file, start, end - 1))
    if (lines.length > 0) await file.appendFile(lines.map((line) => `${line}\n`).join(''))
    await file.datasync()
    return lines.length
  } finally {
    await file.close()
  }
}

/** Just behind the last newline before `to`; 0 if there is none. */
async function lineEnd(file: FileHandle, to: number): Promise<number> {
  for (let end = to; end > 0; ) {
    const start = Math.max(0, end - CHUNK_BYTES)
    const chunk = Buffer.alloc(end - start)
    await file.read(chunk, 0, chunk.length, start)
    const at = chunk.lastIndexOf(NEWLINE)
    if (at >= 0) return start + at + 1
    end = start
  }
  return 0
}

async function textOf(file: FileHandle, start: number, end: number): Promise<string> {
  const text = Buffer.alloc(end - start)
  await file.read(text, 0, text.length, start)
  return text.toString()
}
