/** A read or watch at a revision before the last compaction. registry/gone-error.ts makes it a 410. */
export class CompactedError extends Error {
  constructor(
    readonly compactRevision: number,
    readonly requested: number,
  ) {
    super(`revision ${requested} has been compacted (oldest kept: ${compactRevision})`)
  }
}
