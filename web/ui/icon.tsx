/** Drawn on a square of 20 with lines of one width; decoration beside words, so nothing is read aloud. */
const PATHS = {
  overview: 'M2.5 13.5 7 9l3 3 7.5-7.5',
  read: 'M10 5.5C8 4 5.5 3.5 2.5 3.5v11.5c3 0 5.5.5 7.5 2 2-1.5 4.5-2 7.5-2V3.5c-3 0-5.5.5-7.5 2Zm0 0V17',
  sources: 'M4 3.5A12.5 12.5 0 0 1 16.5 16M4 9a7 7 0 0 1 7 7M4.6 15.4h.01',
  queries: 'M3 4h14l-5.5 6.5V16l-3-1.5v-4Z',
  more: 'M4 10h.01M10 10h.01M16 10h.01',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12Zm4.5-1.5L17 17',
  theme:
    'M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 1.5V3m0 14v1.5M1.5 10H3m14 0h1.5M4 4l1 1m10 10 1 1m0-12-1 1M5 15l-1 1',
  star: 'm10 2.5 2.3 4.9 5.2.7-3.8 3.7.9 5.3L10 14.5l-4.6 2.6.9-5.3-3.8-3.7 5.2-.7Z',
  all: 'm10 3 7.5 3.8L10 10.5 2.5 6.8Zm-7.5 7 7.5 3.8 7.5-3.8m-15 3.3L10 17.1l7.5-3.8',
  check: 'm4 10.5 4 4L16.5 6',
  up: 'm5 12.5 5-5 5 5',
  down: 'm5 7.5 5 5 5-5',
  right: 'm7.5 5 5 5-5 5',
  left: 'm12.5 5-5 5 5 5',
  share: 'M10 12.5v-9m0 0L6.5 7M10 3.5 13.5 7M4.5 10.5V16a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-5.5',
  out: 'M11.5 3.5h5v5m0-5L9 11m5 1v4a1 1 0 0 1-1 1H4.5a1 1 0 0 1-1-1V7.5a1 1 0 0 1 1-1h4',
  close: 'm5 5 10 10M15 5 5 15',
  list: 'M3 5h14M3 10h14M3 15h14',
  refresh: 'M16 8a6.5 6.5 0 1 0 .5 3.5M16.5 3.5V8H12',
  plus: 'M10 4v12M4 10h12',
  play: 'M6.5 4.5v11l9-5.5Z',
  letters: 'm2 15 3.5-10L9 15m-6-3h5m3.5 3 2.5-6.5L16.5 15m-4.2-2h3.5',
  copy: 'M7 7h9.5v9.5H7Zm-3.5 6V3.5H13',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
