import { t } from '../../language/current.ts'
import { KeyList } from '../../ui/key-list.tsx'

const keys = () =>
  [
    ['j', t.read.keyNext],
    ['k', t.read.keyBefore],
    ['m', t.read.keyRead],
    ['s', t.read.keyStar],
    ['o', t.read.keyOpen],
    ['A', t.read.keyAllRead],
    ['/', t.read.keySearch],
    ['r', t.read.keyLook],
    ['[', t.read.keyFolders],
    ['?', t.read.keyKeys],
  ] as const

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return <KeyList title={t.read.keys} keys={keys()} onClose={onClose} />
}
