import { grown } from './grown.ts'

const NOWHERE = -1
const NONE = -1

/**
 * Many doubly linked lists over the numbers 0 to capacity − 1, each number in one of them or in none: eight bytes a
 * number, whatever the number of lists. The first of a list points back to its list, so that taking a number out needs
 * no search and no record of where it is.
 */
export class LinkedLists {
  private readonly first: Int32Array
  private next: Int32Array
  private previous: Int32Array

  constructor(lists: number, capacity: number) {
    this.first = new Int32Array(lists).fill(NONE)
    this.next = new Int32Array(capacity).fill(NONE)
    this.previous = new Int32Array(capacity).fill(NOWHERE)
  }

  get bytes(): number {
    return this.first.byteLength + this.next.byteLength + this.previous.byteLength
  }

  grow(capacity: number): void {
    this.next = grown(this.next, capacity, NONE)
    this.previous = grown(this.previous, capacity, NOWHERE)
  }

  has(member: number): boolean {
    return this.previous[member] !== NOWHERE
  }

  isEmpty(list: number): boolean {
    return this.first[list] === NONE
  }

  /** The member must be in no list. */
  put(list: number, member: number): void {
    const second = this.first[list]!
    this.next[member] = second
    this.previous[member] = asPrevious(list)
    if (second !== NONE) this.previous[second] = member
    this.first[list] = member
  }

  remove(member: number): void {
    const previous = this.previous[member]!
    if (previous === NOWHERE) return
    const next = this.next[member]!
    if (previous >= 0) this.next[previous] = next
    else this.first[asPrevious(previous)] = next
    if (next !== NONE) this.previous[next] = previous
    this.previous[member] = NOWHERE
  }

  /** Empties a list into an array. */
  drain(list: number, into: number[]): void {
    for (let member = this.first[list]!; member !== NONE; member = this.next[member]!) {
      this.previous[member] = NOWHERE
      into.push(member)
    }
    this.first[list] = NONE
  }
}

/** List 0 is −2, list 1 is −3 …; its own inverse. */
function asPrevious(list: number): number {
  return -2 - list
}
