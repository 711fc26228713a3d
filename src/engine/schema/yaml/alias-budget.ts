import { YamlSyntaxError } from './errors'

/** Below one of these limits any share is allowed. */
const FREE_NODES = 1000
const FREE_ALIASED_NODES = 100
/** The allowed share of aliases decreases with the size. */
const SMALL = 400_000
const LARGE = 4_000_000
const SHARE_OF_SMALL = 0.99
const SHARE_OF_LARGE = 0.1

/** Prevents a short text from expanding without end (recording `wire-bodies`). */
export class AliasBudget {
  private nodes = 0
  private aliased = 0
  private depth = 0

  enterAlias(): void {
    this.depth++
  }

  leaveAlias(): void {
    this.depth--
  }

  countNode(): void {
    this.nodes++
    if (this.depth > 0) this.aliased++
    if (this.aliased <= FREE_ALIASED_NODES || this.nodes <= FREE_NODES) return
    if (this.aliased / this.nodes > this.allowedShare())
      throw new YamlSyntaxError('document contains excessive aliasing')
  }

  private allowedShare(): number {
    const along = Math.min(1, Math.max(0, (this.nodes - SMALL) / (LARGE - SMALL)))
    return SHARE_OF_SMALL - (SHARE_OF_SMALL - SHARE_OF_LARGE) * along
  }
}
