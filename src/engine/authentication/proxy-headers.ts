/** `--requestheader-*` (kubernetes.io, "Authenticating proxy"). */
import { addToGroup } from '../core/lists'
import type { Authenticator } from './authenticator'
import { extraKey, valuesOf } from './headers'

export interface ProxyHeaders {
  /** Common names; empty: any. */
  allowedNames: readonly string[]
  /** The first header in a request names the user. */
  userHeaders: readonly string[]
  groupHeaders: readonly string[]
  extraPrefixes: readonly string[]
}

export function proxyHeaders({
  allowedNames,
  userHeaders,
  groupHeaders,
  extraPrefixes,
}: ProxyHeaders): Authenticator {
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase())
  const [users, groups, prefixes] = [lower(userHeaders), lower(groupHeaders), lower(extraPrefixes)]
  return {
    authenticate(request, { audiences }) {
      const certificate = request.clientCertificate?.()
      if (certificate === undefined) return undefined
      const { authorities, commonName, problem } = certificate
      if (!authorities.includes('proxies'))
        return {
          errors: [
            `verifying certificate failed: ${problem ?? 'x509: certificate signed by unknown authority'}`,
          ],
        }
      if (allowedNames.length > 0 && !allowedNames.includes(commonName))
        return { errors: [`x509: subject with cn=${commonName} is not in the allowed list`] }
      const name = users.map((header) => request.header(header)).find((value) => value)
      if (name === undefined) return undefined
      const extra = new Map<string, string[]>()
      for (const prefix of prefixes) {
        for (const header of request.headerNames()) {
          if (!header.startsWith(prefix)) continue
          const key = extraKey(header.slice(prefix.length))
          for (const value of valuesOf(request, header)) addToGroup(extra, key, value)
        }
      }
      const user = {
        name,
        groups: groups
          .flatMap((header) => valuesOf(request, header))
          .filter((group) => group !== ''),
      }
      return {
        user: extra.size > 0 ? { ...user, extra: Object.fromEntries(extra) } : user,
        audiences,
      }
    },
  }
}
