/** Texts recorded from kube-apiserver 1.31. */

import type { FieldError } from '../http/status'
import { urlProblem } from '../schema/go-url'
import { repeatsIn } from '../schema/repeats'
import { invalidValue, required, requiredOnly } from './field-errors'
import { invalidList } from './go-literal'
import { dns1035LabelProblems, dnsSubdomainProblems } from './names'

/** In order of preference. */
export const REVIEW_VERSIONS = ['v1', 'v1beta1']

export function reviewVersionErrors(versions: readonly string[], path: string): FieldError[] {
  const isRepeat = repeatsIn(versions)
  const errors = versions.flatMap((version, index) => {
    if (isRepeat(index)) return [invalidValue(`${path}[${index}]`, version, 'duplicate version')]
    return dns1035LabelProblems(version).map((problem) =>
      invalidValue(`${path}[${index}]`, version, problem),
    )
  })
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return errors
  return [
    ...errors,
    invalidList(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`),
  ]
}

interface Service {
  name?: string
  namespace?: string
  path?: string
  port?: number
}

interface Client {
  url?: string
  service?: Service | null
}

export function clientErrors({ url, service }: Client, path: string): FieldError[] {
  if ((url === undefined) === !service)
    return [required(path, 'exactly one of url or service is required')]
  if (url !== undefined) return urlErrors(url, `${path}.url`)
  return service ? serviceErrors(service, `${path}.service`) : []
}

const FORM = '; desired format: https://host[/path]'
/** RFC 3986, appendix B. */
const URL_PARTS =
  /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/(?:([^@/?#]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is

function urlErrors(url: string, path: string): FieldError[] {
  const problem = urlProblem(url)
  if (problem !== undefined) return [required(path, `url must be a valid URL: ${problem}${FORM}`)]
  const [, given = '', user, host = '', , query = '', fragment = ''] = URL_PARTS.exec(url) ?? []
  const scheme = given.toLowerCase()
  return [
    ...(scheme === 'https'
      ? []
      : [invalidValue(path, scheme, `'https' is the only allowed URL scheme${FORM}`)]),
    ...(host === '' ? [invalidValue(path, host, `host must be specified${FORM}`)] : []),
    ...(user === undefined
      ? []
      : [invalidValue(path, user, 'user information is not permitted in the URL')]),
    ...(fragment === ''
      ? []
      : [invalidValue(path, fragment, 'fragments are not permitted in the URL')]),
    ...(query === ''
      ? []
      : [invalidValue(path, query, 'query parameters are not permitted in the URL')]),
  ]
}

/** kube-apiserver swaps name and namespace in these errors. */
function serviceErrors(
  { name: namespace, namespace: name, port, path: servicePath }: Service,
  path: string,
): FieldError[] {
  return [
    ...(name ? [] : [requiredOnly(`${path}.name`, 'service name is required')]),
    ...(namespace ? [] : [requiredOnly(`${path}.namespace`, 'service namespace is required')]),
    ...(port !== undefined && (port < 1 || port > 65_535)
      ? [
          invalidValue(
            `${path}.port`,
            port,
            'port is not valid: must be between 1 and 65535, inclusive',
          ),
        ]
      : []),
    ...(servicePath === undefined ? [] : servicePathErrors(servicePath, `${path}.path`)),
  ]
}

function servicePathErrors(value: string, path: string): FieldError[] {
  if (value === '' || value === '/') return []
  if (value === '//') return [invalidValue(path, value, 'segment[0] may not be empty')]
  const segments = value.slice(1).replace(/\/$/, '').split('/')
  return [
    ...(value.startsWith('/') ? [] : [invalidValue(path, value, "must start with a '/'")]),
    ...segments.flatMap((segment, index) => {
      const problems =
        segment === ''
          ? [`segment[${index}] may not be empty`]
          : named(dnsSubdomainProblems(segment), index)
      return problems.map((problem) => invalidValue(path, value, problem))
    }),
  ]
}

const named = (problems: string[], index: number): string[] =>
  problems.map((problem) => `segment[${index}]: ${problem}`)
