/** `curl` (curl(1)). */
// cspell:ignore cacert globoff Sgkfi
import { addToGroup } from '../../../core/lists'
import { entryOf } from '../../../core/object'
import type { Builtin, Outcome, ScriptState } from '../command'
import { OutsideSubset } from '../words'
import {
  CONNECT_SECONDS,
  fetched,
  headerIn,
  headOf,
  MOST_REDIRECTS,
  networkOf,
  redirected,
  secondsIn,
  type Target,
  targetIn,
} from './http-clients'

const FLAGS = 'qsSgkfiILv#'
/** Options with a value. */
const VALUES = 'owXHmAd'
/** The letter of a long option; others have their own name. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['silent', 's'],
  ['show-error', 'S'],
  ['globoff', 'g'],
  ['insecure', 'k'],
  ['fail', 'f'],
  ['include', 'i'],
  ['head', 'I'],
  ['location', 'L'],
  ['verbose', 'v'],
  ['output', 'o'],
  ['write-out', 'w'],
  ['request', 'X'],
  ['header', 'H'],
  ['max-time', 'm'],
  ['user-agent', 'A'],
  ['data', 'd'],
  ['data-raw', 'd'],
  ['data-ascii', 'd'],
  ['data-binary', 'd'],
])
const LONG_VALUES = new Set([
  'connect-timeout',
  'interface',
  'retry',
  'retry-delay',
  'cacert',
  'url',
])
const LONG_FLAGS = new Set(['compressed', 'no-progress-meter', 'http1.1', 'retry-connrefused'])

interface Options {
  flags: ReadonlySet<string>
  values: ReadonlyMap<string, readonly string[]>
  urls: readonly string[]
}

/** @throws OutsideSubset */
function optionsIn(args: readonly string[]): Options {
  const flags = new Set<string>()
  const values = new Map<string, string[]>()
  const urls: string[] = []
  const add = (name: string, value: string) => addToGroup(values, name, value)
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word.startsWith('--')) {
      const name = word.slice(2)
      const key = LETTERS.get(name) ?? name
      if (key.length === 1 ? FLAGS.includes(key) : LONG_FLAGS.has(key)) flags.add(key)
      else if (key.length === 1 || LONG_VALUES.has(key)) add(key, args[++at] ?? '')
      else throw new OutsideSubset(`curl ${word}`)
    } else if (/^-./.test(word)) {
      for (let index = 1; index < word.length; index++) {
        const letter = word[index] ?? ''
        if (FLAGS.includes(letter)) flags.add(letter)
        else if (VALUES.includes(letter)) {
          add(letter, word.slice(index + 1) || (args[++at] ?? ''))
          break
        } else throw new OutsideSubset(`curl ${word}`)
      }
    } else urls.push(word)
  }
  return { flags, values, urls: [...urls, ...(values.get('url') ?? [])] }
}

/** `-d`: a text, `@` and the name of a file, or `@-` for the standard input. */
function dataIn(parts: readonly string[], state: ScriptState): string {
  const texts = parts.map((part) => {
    if (!part.startsWith('@')) return part
    const text = part === '@-' ? state.readInput() : state.files.read(part.slice(1))
    if (text === undefined) throw new OutsideSubset('curl -d')
    return text
  })
  return texts.join('&')
}

const FAILURES: Readonly<Record<string, [code: number, text: string]>> = {
  plain: [35, 'TLS connect error: error:0A00010B:SSL routines::wrong version number'],
  untrusted: [60, 'SSL certificate problem: unable to get local issuer certificate'],
}

export const curl: Builtin = (args, state) => {
  const { flags, values, urls } = optionsIn(args)
  const value = (...names: string[]) =>
    names.map((name) => values.get(name)?.at(-1)).find((one) => one !== undefined)
  const [url = ''] = urls
  const target = targetIn(url)
  if (target === undefined || urls.length > 1) throw new OutsideSubset('curl')
  const data = values.get('d')
  const body = data && dataIn(data, state)
  const method = value('X') ?? (flags.has('I') ? 'HEAD' : body === undefined ? 'GET' : 'POST')
  const headers = {
    accept: '*/*',
    'user-agent': value('A') ?? 'curl/8.9.1',
    ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...Object.fromEntries((values.get('H') ?? []).map(headerIn)),
  }
  const request = { method, headers, ...(body !== undefined && { body }) }
  const isSilent = flags.has('s') && !flags.has('S')
  const fail = (code: number, text: string): Outcome => ({
    error: isSilent ? '' : `curl: (${code}) ${text}\n`,
    output: written(value('w'), 0),
    code,
  })
  const authority = value('cacert')
  if (authority !== undefined && !state.files.read(authority)?.includes('BEGIN CERTIFICATE'))
    return fail(77, `error adding trust anchors from file: ${authority}`)
  const trust = flags.has('k') ? 'any' : authority === undefined ? 'public' : 'cluster'
  const limit = secondsIn(value('connect-timeout', 'm'))
  const network = networkOf(state, 'curl')
  let next: Target = target
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const result = fetched(network, next, { state, request, limit, trust })
    if ('failure' in result) {
      const { failure } = result
      const place = `${next.host} port ${next.port}`
      const known = entryOf(FAILURES, failure)
      if (known) return fail(...known)
      if (failure === 'name') return fail(6, `Could not resolve host: ${next.host}`)
      if (failure === 'closed')
        return fail(7, `Failed to connect to ${place} after 0 ms: Couldn't connect to server`)
      const seconds = limit ?? CONNECT_SECONDS
      return fail(
        28,
        `Failed to connect to ${place} after ${seconds * 1000} ms: Timeout was reached`,
      )
    }
    const { response } = result
    const { location } = response.headers
    if (flags.has('L') && response.status >= 300 && response.status < 400 && location) {
      next = redirected(next, location)
      continue
    }
    if (flags.has('f') && response.status >= 400)
      return fail(22, `The requested URL returned error: ${response.status}`)
    const head = flags.has('i') || flags.has('I') ? headOf(response) : ''
    const text = head + (flags.has('I') ? '' : response.body)
    const path = value('o')
    if (path !== undefined && path !== '-') state.write(path, text, false)
    const shown = path === undefined || path === '-' ? text : ''
    return { output: shown + written(value('w'), response.status) }
  }
  return fail(47, `Maximum (${MOST_REDIRECTS}) redirects followed`)
}

const written = (format: string | undefined, status: number): string =>
  (format ?? '')
    .replaceAll('%{http_code}', String(status).padStart(3, '0'))
    .replaceAll('%{response_code}', String(status).padStart(3, '0'))
    .replaceAll('\\n', '\n')
