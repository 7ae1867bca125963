import { useState } from 'react'
import type { ItemDetail } from '../../../src/api/operations/wire.ts'
import { bytes } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { Icon } from '../../ui/icon.tsx'
import { isWeb } from './web-link.ts'

export interface Playing {
  readonly url: string
  readonly title: string
}

interface EnclosuresProps {
  readonly item: ItemDetail
  readonly onPlay: (playing: Playing) => void
}

/** Audio plays in a bar below while one reads on; video is loaded by a click and not before; the rest are links. */
export function Enclosures({ item, onPlay }: EnclosuresProps) {
  const safe = item.enclosures.filter(({ url }) => isWeb(url))
  const title = item.title ?? t.read.audio
  return (
    <>
      {safe.map(({ url, type, lengthBytes }) => {
        const kind = type?.split('/')[0]
        if (kind === 'audio')
          return <ListenButton key={url} lengthBytes={lengthBytes} onClick={() => onPlay({ url, title })} />
        if (kind === 'video') return <Video key={url} url={url} title={title} />
        return (
          <p key={url} className="small">
            <a href={url} target="_blank" rel="noopener noreferrer">
              {type ?? t.read.enclosure}
            </a>
            {lengthBytes !== null && ` (${bytes(lengthBytes)})`}
          </p>
        )
      })}
    </>
  )
}

interface ListenButtonProps extends Pick<ItemDetail['enclosures'][number], 'lengthBytes'> {
  readonly onClick: () => void
}

function ListenButton({ lengthBytes, onClick }: ListenButtonProps) {
  return (
    <button type="button" className="button listen" onClick={onClick}>
      <Icon name="play" />
      {t.read.listen({
        size: lengthBytes !== null && lengthBytes > 0 && <span className="muted">{bytes(lengthBytes)}</span>,
      })}
    </button>
  )
}

function Video({ url, title }: Playing) {
  const [isLoaded, setLoaded] = useState(false)
  if (isLoaded) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: what others publish has no captions that we know of
      <video className="video" src={url} controls autoPlay aria-label={title} />
    )
  }
  return (
    <button type="button" className="video still" onClick={() => setLoaded(true)}>
      <Icon name="play" />
      {t.read.playVideo({ host: new URL(url).host })}
    </button>
  )
}

export function PlayerBar({ playing, onClose }: { readonly playing: Playing; readonly onClose: () => void }) {
  return (
    <section className="player" aria-label={t.read.player}>
      <strong className="name">{playing.title}</strong>
      {/* biome-ignore lint/a11y/useMediaCaption: what others publish has no captions that we know of */}
      <audio key={playing.url} src={playing.url} controls autoPlay />
      <button type="button" className="button quiet icon-only" aria-label={t.read.closePlayer} onClick={onClose}>
        <Icon name="close" />
      </button>
    </section>
  )
}
