import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A process of a bench that says `Hello` when it is ready and has one answer to each message. */
export interface BenchChild<Hello, Answer> {
  readonly hello: Hello
  ask(message: object): Promise<Answer>
  close(): Promise<void>
}

/** `name`: of the file in this folder, without its ending. It must end when its parent has gone (`disconnect`). */
export async function startChild<Hello, Answer>(
  name: string,
  args: readonly string[],
): Promise<BenchChild<Hello, Answer>> {
  // Tests run the sources; processes run what is built.
  const folder = import.meta.url.endsWith('.ts') ? '../dist/bench' : '.'
  const child = fork(fileURLToPath(new URL(`${folder}/${name}.js`, import.meta.url)), args)
  const exited = once(child, 'exit')
  const failed = exited.then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`)))
  failed.catch(() => {})
  const next = async () => {
    const [message] = await Promise.race([once(child, 'message'), failed])
    return message
  }
  return {
    hello: await next(),
    ask(message) {
      const answer = next()
      child.send(message)
      return answer
    },
    async close() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

/** Of all threads, since it began. */
export function cpuMsOfProcess(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
