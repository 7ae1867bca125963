import { KeyList } from '../../ui/key-list.tsx'

const KEYS = [
  ['j', 'next item'],
  ['k', 'item before'],
  ['m', 'read or unread'],
  ['s', 'star or unstar'],
  ['o', 'open the original'],
  ['A', 'mark all read'],
  ['/', 'search'],
  ['r', 'look for new items'],
  ['[', 'hide or show the folders'],
  ['?', 'these keys'],
] as const

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return <KeyList title="Keys" keys={KEYS} onClose={onClose} />
}
