// node scripts/compile.mjs -p tsconfig.json: the TypeScript compiler that builds and checks this project. It is the native one (7), which
// takes a third of the processor time of 6 and uses all cores. 6 stays for what reads syntax through its interface (typedoc, knip,
// dependency-cruiser, scripts/shape); both call their command tsc, so it is not called by that name.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const tsc = fileURLToPath(new URL('../node_modules/typescript-native/bin/tsc', import.meta.url))
process.exit(spawnSync(process.execPath, [tsc, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1)
