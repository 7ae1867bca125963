/** Calls `act` for every value, a bounded number at once. */
export async function inParallel<T>(
  atOnce: number,
  values: readonly T[],
  act: (value: T, index: number) => Promise<unknown>,
): Promise<void> {
  // All workers take from one iterator; a value may be undefined, as where only the count matters.
  const entries = values.entries()
  const worker = async () => {
    for (const [index, value] of entries) await act(value, index)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, values.length) }, worker))
}

/** Every nth of the values, so that a short form sees all kinds. */
export function sampleEvenly<T>(values: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, values.length / most)
  return values.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}
