/**
 * A trie over shapes of values: equal shapes reach the same node, which caches the field set. Most
 * objects of a kind have equal shapes, so a lookup is mostly one comparison per token. No key is
 * built.
 */
import type { FieldSet } from './field-set'

/** A member name or path element, which are strings, or another property of a shape. */
export type Token = string | number

/** Nodes of one kind and endpoint; above the limit the trie is cleared. */
const MOST_STEPS = 20_000
/** Larger objects rarely have equal shapes. */
const LONGEST_WAY = 5_000

class Step {
  /** The field set of values that end here. */
  fields: FieldSet | undefined = undefined
  /** The child of the first token; the children of others. */
  next: Step | undefined = undefined
  others: Map<Token, Step> | undefined = undefined

  constructor(
    /** The token of `next`. */
    public token: Token | undefined = undefined,
  ) {}
}

export class ShapeTree {
  private root = new Step()
  private steps = 0

  walk(): Way {
    return new Way(this, this.root)
  }

  /** Inserts a child for a new token. */
  grow(from: Step, token: Token): Step {
    if (++this.steps > MOST_STEPS) {
      this.root = new Step()
      this.steps = 0
    }
    const step = new Step()
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

/** Follows the tokens of one value. */
export class Way {
  private left = LONGEST_WAY

  constructor(
    private readonly tree: ShapeTree,
    private at: Step,
  ) {}

  to(token: Token): void {
    const { at } = this
    if (at.token === token && at.next !== undefined) this.at = at.next
    else if (this.left > 0) this.at = at.others?.get(token) ?? this.tree.grow(at, token)
    this.left--
  }

  /** The cached field set of this shape. */
  get fields(): FieldSet | undefined {
    return this.left < 0 ? undefined : this.at.fields
  }

  remember(fields: FieldSet): void {
    if (this.left >= 0) this.at.fields = fields
  }
}
