/** Names of time zones, as Go's time.LoadLocation finds them in the time zone database. */

/** Names that JavaScript's engines know beside those of the time zone database, or still know. */
const NO_ZONES = new Set([
  ...'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(
    ' ',
  ),
  ...['US/Pacific-New', 'Canada/East-Saskatchewan'],
])

/** A name of the time zone database, spelled as it is there; or `Local`, the zone of the server itself. */
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

/** Why there is no such zone, undefined if there is one: what would lead out of the database is no name at all. */
export function zoneProblem(name: string): string | undefined {
  if (name.includes('..') || /^[/\\]/.test(name)) return 'time: invalid location name'
  return isTimeZone(name) ? undefined : `unknown time zone ${name}`
}
