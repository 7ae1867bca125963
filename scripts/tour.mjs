// An animated picture of some pages, for the README; made of pictures that `npm run screenshots` has just taken:
//   node scripts/tour.mjs
// It plays once and then stands still: nobody who dislikes motion has to look away for long.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const PAGES = ['overview-light', 'source-light', 'query-light', 'read-light']
const SECONDS_EACH = 2
const WIDTH = 960
const MOST_BYTES = 1_000_000

export function makeTour() {
  const inputs = PAGES.flatMap((name) => ['-loop', '1', '-t', String(SECONDS_EACH), '-i', `${folder}${name}.png`])
  const scaled = PAGES.map((_, index) => `[${index}:v]scale=${WIDTH}:-2,fps=2[v${index}]`)
  const joined = `${PAGES.map((_, index) => `[v${index}]`).join('')}concat=n=${PAGES.length}:v=1[out]`
  const filter = ['-filter_complex', [...scaled, joined].join(';'), '-map', '[out]']
  const encode = ['-c:v', 'libwebp_anim', '-quality', '75', '-loop', '1', `${folder}tour.webp`]
  const { status, error } = spawnSync('ffmpeg', ['-loglevel', 'error', '-y', ...inputs, ...filter, ...encode], {
    stdio: 'inherit',
  })
  if (error !== undefined)
    throw new Error(`ffmpeg is needed for the animated picture (apt-get install ffmpeg): ${error.message}`)
  const { size } = statSync(`${folder}tour.webp`)
  if (status !== 0 || size > MOST_BYTES)
    throw new Error(`the animated picture failed (${status}), or is too large: ${size} bytes`)
  console.log(`tour, ${Math.round(size / 1_000)} kB`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) makeTour()
