import { YamlSyntaxError } from './errors'

/** Documents of so many nodes, or with so many of them from aliases, are always accepted. */
const FREE_NODES = 1000
const FREE_ALIASED_NODES = 100
/** Small documents may come from aliases almost entirely, large ones hardly. */
const SMALL = 400_000
const LARGE = 4_000_000
const SHARE_OF_SMALL = 0.99
const SHARE_OF_LARGE = 0.1

/**
 * Limits the share of aliases in a document, so that a short text cannot expand without end
 * (recording `wire-bodies`).
 */
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

  /** Counts one node. @throws YamlSyntaxError when aliases make up too much of the document */
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
