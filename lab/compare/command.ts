import { type CompareOptions, type CompareProgress, runCompare } from './run.ts'
import { compareTable } from './table.ts'

/** `headwater lab compare`, arguments already taken apart. */
export interface CompareCommand extends Omit<CompareOptions, 'onProgress'> {
  readonly json: boolean
}

export interface CompareIo {
  out(text: string): void
  progress?(progress: CompareProgress): void
}

export async function runCompareCommand(command: CompareCommand, io: CompareIo): Promise<void> {
  const { json, ...options } = command
  const result = await runCompare({ ...options, ...(io.progress ? { onProgress: (now) => io.progress?.(now) } : {}) })
  io.out(json ? `${JSON.stringify(result, null, 2)}\n` : compareTable(result))
}
