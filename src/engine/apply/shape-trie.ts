/** Equal shapes share a node. Most objects of a kind have one shape: a lookup builds no key. */
import type { FieldSet } from './field-set'

/** Strings are member names and path elements. */
export type Token = string | number

/** A larger trie is cleared. */
const MAX_NODES = 20_000
const MAX_DEPTH = 5_000

class TrieNode {
  /** Of values that end here. */
  fields: FieldSet | undefined = undefined
  /** The child of the first token; `others` has the rest. */
  next: TrieNode | undefined = undefined
  others: Map<Token, TrieNode> | undefined = undefined

  constructor(public token: Token | undefined = undefined) {}
}

export class ShapeTrie {
  private root = new TrieNode()
  private size = 0

  cursor(): Cursor {
    return new Cursor(this, this.root)
  }

  insert(from: TrieNode, token: Token): TrieNode {
    if (++this.size > MAX_NODES) {
      this.root = new TrieNode()
      this.size = 0
    }
    const step = new TrieNode()
    if (from.next === undefined) {
      from.token = token
      from.next = step
    } else {
      from.others ??= new Map()
      from.others.set(token, step)
    }
    return step
  }
}

export class Cursor {
  private remaining = MAX_DEPTH

  constructor(
    private readonly tree: ShapeTrie,
    private at: TrieNode,
  ) {}

  advance(token: Token): void {
    const { at } = this
    if (at.token === token && at.next !== undefined) this.at = at.next
    else if (this.remaining > 0) this.at = at.others?.get(token) ?? this.tree.insert(at, token)
    this.remaining--
  }

  get fields(): FieldSet | undefined {
    return this.remaining < 0 ? undefined : this.at.fields
  }

  store(fields: FieldSet): void {
    if (this.remaining >= 0) this.at.fields = fields
  }
}
