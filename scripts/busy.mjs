// node scripts/busy.mjs N -- command …: runs the command beside N busy loops, and ends them by their ids when it is over.
// What passes on an idle machine alone has promised something about the machine.
import { spawn } from 'node:child_process'

const [count, separator, command, ...args] = process.argv.slice(2)
if (!/^\d+$/.test(count ?? '') || separator !== '--' || command === undefined) {
  console.error('usage: node scripts/busy.mjs N -- command …')
  process.exit(2)
}

// Each loop ends by itself when nobody is there to end it.
const LOOP = 'const parent = process.ppid; for (let n = 0; process.ppid === parent; ) for (n = 0; n < 1e8; n++);'
const loops = Array.from({ length: Number(count) }, () => spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }))
const endLoops = () => {
  for (const loop of loops) loop.kill('SIGKILL')
}
process.on('exit', endLoops)
const child = spawn(command, args, { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
child.on('exit', (code) => process.exit(code ?? 1))
