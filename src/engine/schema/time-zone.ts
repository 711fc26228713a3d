/** Names that JavaScript accepts but the IANA time zone database lacks. */
const NO_ZONES = new Set([
  ...'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(
    ' ',
  ),
  ...['US/Pacific-New', 'Canada/East-Saskatchewan'],
])

/** As Go's time.LoadLocation: case-sensitive, `Local` is the server's zone. */
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

export function zoneProblem(name: string): string | undefined {
  if (name.includes('..') || /^[/\\]/.test(name)) return 'time: invalid location name'
  return isTimeZone(name) ? undefined : `unknown time zone ${name}`
}
