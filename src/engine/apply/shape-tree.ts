/**
 * Shapes of values as a tree of steps: who walks along a value that is shaped like an earlier one ends where that one ended. Most
 * objects of a kind are shaped alike, so a walk is mostly one comparison a step, and nothing is put together to look it up.
 */
import type { FieldSet } from './field-set'

/** A name or a path element, which are texts, or what else there is to say of a shape. */
export type Token = string | number

/** Steps that are kept of one kind and endpoint; then its tree begins anew. */
const MOST_STEPS = 20_000
/** Objects whose way is longer are rarely alike. */
const LONGEST_WAY = 5_000

class Step {
  /** What is known of values that end here. */
  fields: FieldSet | undefined = undefined
  /** Where the token leads that came first; what others lead to. */
  next: Step | undefined = undefined
  others: Map<Token, Step> | undefined = undefined

  constructor(
    /** The token that `next` stands for. */
    public token: Token | undefined = undefined,
  ) {}
}

export class ShapeTree {
  private root = new Step()
  private steps = 0

  walk(): Way {
    return new Way(this, this.root)
  }

  /** A step that nobody has taken before. */
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

/** One walk along a value. */
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

  /** What is known of values of this shape. */
  get fields(): FieldSet | undefined {
    return this.left < 0 ? undefined : this.at.fields
  }

  remember(fields: FieldSet): void {
    if (this.left >= 0) this.at.fields = fields
  }
}
