const PAUSES_MS = [500, 2_000]

/** A part of the program that is loaded when it is needed: a connection that is lost for a moment, or that changes, is no reason to give up. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return load()
}
