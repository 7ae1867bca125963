import { attackInShort } from './in-short.ts'

attackInShort(3)
