import { setFlagsFromString } from 'node:v8'

/**
 * Reads modules while the engine optimizes nothing. A thousand files keep the code that finds and reads them hot for a second, and
 * it is not needed again; optimizing it took 0.2 of 1.2 CPU seconds of a start. What is hot afterwards is optimized as ever.
 */
export async function readCode<Modules>(read: () => Promise<Modules>): Promise<Modules> {
  setFlagsFromString('--no-opt')
  try {
    return await read()
  } finally {
    setFlagsFromString('--opt')
  }
}
