/** Names of time zones, as Go's time.LoadLocation finds them in the time zone database. */

/** Names that JavaScript engines accept but the IANA time zone database lacks, or no longer has. */
const NO_ZONES = new Set([
  ...'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(
    ' ',
  ),
  ...['US/Pacific-New', 'Canada/East-Saskatchewan'],
])

/**
 * Whether it is a name of the time zone database in its spelling, or `Local`, the server's zone.
 */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'UTC' || name === 'Local') return true
  if (!/^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/.test(name)) return false
  if (NO_ZONES.has(name) || name.startsWith('SystemV/')) return false
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase()
  } catch {
    return false
  }
}

/**
 * Why the time zone is invalid; undefined if it is valid. A name that leads out of the database is
 * invalid too.
 */
export function zoneProblem(name: string): string | undefined {
  if (name.includes('..') || /^[/\\]/.test(name)) return 'time: invalid location name'
  return isTimeZone(name) ? undefined : `unknown time zone ${name}`
}
