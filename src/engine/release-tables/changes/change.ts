export interface Change {
  /** The first release with the change: `1.33`. */
  since: string
  /** The change in one sentence. */
  does: string
  /** The public source: a pull request, a KEP, a package or release notes. */
  source: string
}

/** The changes of one release by name. Rules look the names up with `changesOf`. */
export function defineChanges<Name extends string>(
  since: string,
  changes: Record<Name, Omit<Change, 'since'>>,
): Record<Name, Change> {
  const rows = Object.entries<Omit<Change, 'since'>>(changes)
  return Object.fromEntries(rows.map(([name, change]) => [name, { since, ...change }])) as Record<
    Name,
    Change
  >
}
