import { growColumn } from '../../src/model/columns.ts'

const NOWHERE = -1
const NONE = -1

/**
 * Many doubly linked lists over the numbers 0 to capacity − 1, each number in one of them or in none: eight bytes a
 * number, whatever the number of lists. The first of a list points back to its list, so that taking a number out needs
 * no search and no record of where it is.
 */
export class LinkedLists {
  private readonly first: Int32Array
  /** Next and previous of each member side by side: one cache line to read, not two. */
  private links: Int32Array

  constructor(lists: number, capacity: number) {
    this.first = new Int32Array(lists).fill(NONE)
    this.links = new Int32Array(2 * capacity).fill(NOWHERE)
  }

  get bytes(): number {
    return this.first.byteLength + this.links.byteLength
  }

  grow(capacity: number): void {
    this.links = growColumn(this.links, 2 * capacity, NOWHERE)
  }

  has(member: number): boolean {
    return this.links[2 * member + 1] !== NOWHERE
  }

  isEmpty(list: number): boolean {
    return this.first[list] === NONE
  }

  /** The member must be in no list. */
  put(list: number, member: number): void {
    const second = this.first[list] ?? 0
    this.links[2 * member] = second
    this.links[2 * member + 1] = asPrevious(list)
    if (second !== NONE) this.links[2 * second + 1] = member
    this.first[list] = member
  }

  remove(member: number): void {
    const previous = this.links[2 * member + 1] ?? 0
    if (previous === NOWHERE) return
    const next = this.links[2 * member] ?? 0
    if (previous >= 0) this.links[2 * previous] = next
    else this.first[asPrevious(previous)] = next
    if (next !== NONE) this.links[2 * next + 1] = previous
    this.links[2 * member + 1] = NOWHERE
  }

  /** Empties a list into an array. */
  drain(list: number, into: number[]): void {
    for (let member = this.first[list] ?? 0; member !== NONE; member = this.links[2 * member] ?? 0) {
      this.links[2 * member + 1] = NOWHERE
      into.push(member)
    }
    this.first[list] = NONE
  }
}

/** List 0 is −2, list 1 is −3 …; its own inverse. */
function asPrevious(list: number): number {
  return -2 - list
}
