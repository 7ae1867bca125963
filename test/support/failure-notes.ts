type Describe = () => Promise<string>

/** What can say more about a failure, while it is open. */
const witnesses = new Set<Describe>()

/** Asked after every test that fails, until the function that is returned is called. */
export function witness(describe: Describe): () => void {
  witnesses.add(describe)
  return () => void witnesses.delete(describe)
}

export async function failureNotes(): Promise<string> {
  const notes = await Promise.all([...witnesses].map((describe) => describe().catch((error) => String(error))))
  return notes.filter((note) => note !== '').join('\n')
}
