/** `token,user,uid,"group1,group2"` (kubernetes.io, "Static token file"). */
import type { UserInfo } from './authenticator'

export class TokenFileError extends Error {}

/** The last line of a token wins. @throws TokenFileError */
export function parseTokenFile(csv: string): Map<string, UserInfo> {
  const users = new Map<string, UserInfo>()
  csv.split('\n').forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return
    const columns = splitCsv(line.trim())
    if (columns.length < 3)
      throw new TokenFileError(
        `token file, line ${index + 1}: must have at least 3 columns (token, user name, user uid), found ${columns.length}`,
      )
    const [token, name, uid, groups] = columns as [string, string, string, string | undefined]
    if (token === '') return
    users.set(token, { name, uid, groups: groups ? groups.split(',') : [] })
  })
  return users
}

function splitCsv(line: string): string[] {
  const columns: string[] = []
  let column = ''
  let quoted = false
  for (let i = 0; i < line.length; i++) {
    const sign = line[i] as string
    if (quoted && sign === '"' && line[i + 1] === '"') {
      column += '"'
      i++
    } else if (sign === '"') quoted = !quoted
    else if (sign === ',' && !quoted) {
      columns.push(column)
      column = ''
    } else column += sign
  }
  return [...columns, column]
}
