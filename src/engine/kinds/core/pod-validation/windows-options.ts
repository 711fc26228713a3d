/** Recorded from kube-apiserver 1.31; others from k8s.io/kubernetes, pkg/apis/core/validation. */

import { append } from '../../../core/lists'
import type { FieldError } from '../../../http/status'
import { invalidValue } from '../../../validation/field-errors'
import { byteLength, dnsSubdomainProblems } from '../../../validation/names'
import type { WindowsOptions } from '../pod-types'

const MAX_GMSA_KIB = 64

export function windowsOptionErrors(
  options: WindowsOptions | undefined,
  path: string,
): FieldError[] {
  if (!options) return []
  const {
    gmsaCredentialSpecName: specName,
    gmsaCredentialSpec: spec,
    runAsUserName: user,
  } = options
  const errors: FieldError[] = []
  if (specName !== undefined)
    append(
      errors,
      dnsSubdomainProblems(specName).map((problem) =>
        invalidValue(`${path}.gmsaCredentialSpecName`, specName, problem),
      ),
    )
  if (spec === '')
    errors.push(
      invalidValue(
        `${path}.gmsaCredentialSpec`,
        spec,
        'gmsaCredentialSpec cannot be an empty string',
      ),
    )
  else if (byteLength(spec ?? '') > MAX_GMSA_KIB * 1024)
    errors.push(
      invalidValue(
        `${path}.gmsaCredentialSpec`,
        spec,
        `gmsaCredentialSpec size must be under ${MAX_GMSA_KIB} KiB`,
      ),
    )
  if (user !== undefined)
    append(
      errors,
      userNameProblems(user).map((problem) =>
        invalidValue(`${path}.runAsUserName`, user, `runAsUserName${problem}`),
      ),
    )
  return errors
}

const NETBIOS_DOMAIN = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const DNS_DOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`)
const DOMAIN_LIMIT = 256
const MAX_USER = 104

/** `DOMAIN\user` or `user`. */
function userNameProblems(name: string): string[] {
  if (name === '') return [' cannot be an empty string']
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name)) return [' cannot contain control characters']
  const parts = name.split('\\')
  if (parts.length > 2) return [' cannot contain more than one backslash']
  const [domain, user = ''] = parts.length === 2 ? parts : [undefined, name]
  return [...(domain === undefined ? [] : domainProblems(domain)), ...userProblems(user)]
}

function domainProblems(domain: string): string[] {
  const problems =
    byteLength(domain) >= DOMAIN_LIMIT
      ? [`'s Domain length must be under ${DOMAIN_LIMIT} characters`]
      : []
  if (NETBIOS_DOMAIN.test(domain) || DNS_DOMAIN.test(domain)) return problems
  return [...problems, "'s Domain doesn't match the NetBios nor the DNS format"]
}

function userProblems(user: string): string[] {
  const problems: string[] = []
  if (user === '') problems.push("'s User cannot be empty")
  else if (byteLength(user) > MAX_USER)
    problems.push(`'s User length must not be longer than ${MAX_USER} characters`)
  if (/^[. ]+$/.test(user)) problems.push("'s User cannot contain only periods or spaces")
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    problems.push(`'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`)
  return problems
}
