import { t } from '../language/current.ts'
import { CopyButton } from './copy-button.tsx'

interface Urls {
  readonly rss: string
  readonly atom: string
  readonly json: string
}

/** For the reader one already has. */
export function FeedAddresses({ urls }: { readonly urls: Urls }) {
  const formats = [
    ['RSS', urls.rss],
    ['Atom', urls.atom],
    ['JSON', urls.json],
  ] as const
  return (
    <ul className="stack tight">
      {formats.map(([format, url]) => (
        <li key={format} className="address">
          <strong>{format}</strong>
          <code>
            <a href={url}>{url}</a>
          </code>
          <CopyButton text={url} label={t.common.copyFormat({ format })} />
        </li>
      ))}
    </ul>
  )
}
