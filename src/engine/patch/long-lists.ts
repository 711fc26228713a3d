/** Ten thousand insertions into a long array take seconds: each moves all later items. */
import type { Json } from '../core/object'

/** Shorter lists stay arrays. */
const LONG = 256
const PIECE = 128

class Pieces {
  private readonly pieces: Json[][] = []
  length: number

  constructor(items: readonly Json[]) {
    this.length = items.length
    for (let at = 0; at < items.length; at += PIECE) this.pieces.push(items.slice(at, at + PIECE))
  }

  item(index: number): Json {
    const { piece, offset } = this.find(index)
    return piece[offset] as Json
  }

  replace(index: number, value: Json): void {
    const { piece, offset } = this.find(index)
    piece[offset] = value
  }

  insert(index: number, value: Json): void {
    this.length++
    const { piece, offset, at } = this.find(index)
    piece.splice(offset, 0, value)
    if (piece.length > 2 * PIECE) this.pieces.splice(at + 1, 0, piece.splice(PIECE))
  }

  remove(index: number): void {
    const { piece, offset, at } = this.find(index)
    this.length--
    piece.splice(offset, 1)
    if (piece.length === 0 && this.pieces.length > 1) this.pieces.splice(at, 1)
  }

  items(): Json[] {
    return this.pieces.flat()
  }

  private find(index: number): { piece: Json[]; offset: number; at: number } {
    let offset = index
    let at = 0
    for (; at < this.pieces.length - 1; at++) {
      const { length } = this.pieces[at] as Json[]
      if (offset < length) break
      offset -= length
    }
    return { piece: this.pieces[at] as Json[], offset, at }
  }
}

/** The arrays of these lists are outdated. */
export class LongLists {
  private readonly known = new Map<Json, Pieces>()

  lengthOf(list: Json[]): number {
    return this.known.get(list)?.length ?? list.length
  }

  item(list: Json[], index: number): Json {
    const pieces = this.known.get(list)
    return pieces === undefined ? (list[index] as Json) : pieces.item(index)
  }

  replace(list: Json[], index: number, value: Json): void {
    const pieces = this.known.get(list)
    if (pieces === undefined) list[index] = value
    else pieces.replace(index, value)
  }

  insert(list: Json[], index: number, value: Json): void {
    const pieces = this.inPieces(list)
    if (pieces === undefined) list.splice(index, 0, value)
    else pieces.insert(index, value)
  }

  remove(list: Json[], index: number): void {
    const pieces = this.inPieces(list)
    if (pieces === undefined) list.splice(index, 1)
    else pieces.remove(index)
  }

  /** Updates arrays before something reads the whole value. */
  settle(value: Json): void {
    if (this.known.size === 0 || typeof value !== 'object' || value === null) return
    const left: Json[] = [value]
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (Array.isArray(next)) this.settleOne(next)
      for (const member of Object.values(next as object) as Json[])
        if (typeof member === 'object' && member !== null) left.push(member)
    }
  }

  private settleOne(list: Json[]): void {
    const items = this.known.get(list)?.items()
    if (items === undefined) return
    this.known.delete(list)
    list.length = items.length
    for (let i = 0; i < items.length; i++) list[i] = items[i] as Json
  }

  private inPieces(list: Json[]): Pieces | undefined {
    const known = this.known.get(list)
    if (known !== undefined || list.length < LONG) return known
    const pieces = new Pieces(list)
    this.known.set(list, pieces)
    return pieces
  }
}
