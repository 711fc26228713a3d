/** `wget` of busybox. */
import type { Builtin } from '../command'
import { optionsOf } from '../options'
import {
  fetched,
  headerIn,
  MOST_REDIRECTS,
  networkOf,
  reasonOf,
  redirected,
  secondsIn,
  type Target,
  targetIn,
} from './http-clients'

/** The short form of long options. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['--spider', '-s'],
  ['--quiet', '-q'],
  ['--timeout', '-T'],
  ['--output-document', '-O'],
])

const hostText = ({ host, port }: Target): string => (port === 80 ? host : `${host}:${port}`)

export const wget: Builtin = (args, state) => {
  const headers = new Map<string, string>()
  let body: string | undefined
  const words: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    const [name = '', ...rest] = word.split('=')
    const value = () => (rest.length > 0 ? rest.join('=') : (args[++at] ?? ''))
    if (name === '--header') headers.set(...headerIn(value()))
    else if (name === '--post-data') body = value()
    else if (name === '--timeout' || name === '--output-document')
      words.push(SHORT.get(name) ?? '', value())
    else if (name !== '--no-check-certificate') words.push(SHORT.get(word) ?? word)
  }
  const options = optionsOf(words, 'qsO:T:cSt:Y:')
  const [url = ''] = options.operands
  const target = targetIn(url)
  if (target === undefined) return { error: `wget: bad address '${url}'\n`, code: 1 }
  if (body !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded')
  const request = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'user-agent': 'Wget', ...Object.fromEntries(headers) },
    ...(body !== undefined && { body }),
  }
  const network = networkOf(state, 'wget')
  const log = (text: string) => (options.has('q') ? '' : text)
  const limit = secondsIn(options.value('T'))
  let error = ''
  let next: Target = target
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const result = fetched(network, next, { state, request, limit, trust: 'any' })
    if (next.scheme === 'https' && 'response' in result)
      error += 'wget: note: TLS certificate validation not implemented\n'
    if ('failure' in result) {
      const { failure, ip } = result
      const texts = {
        name: `wget: bad address '${hostText(next)}'\n`,
        closed: `wget: can't connect to remote host (${ip}): Connection refused\n`,
        timeout: 'wget: download timed out\n',
        plain: 'wget: error getting response: Connection reset by peer\n',
        untrusted: '',
      }
      return { error: error + texts[failure], code: 1 }
    }
    const { ip, response } = result
    error += log(`Connecting to ${next.host}:${next.port} (${ip}:${next.port})\n`)
    const { location } = response.headers
    if (response.status >= 300 && response.status < 400 && location) {
      next = redirected(next, location)
      continue
    }
    if (response.status < 200 || response.status > 299) {
      error += `wget: server returned error: HTTP/1.1 ${response.status} ${reasonOf(response.status)}\n`
      return { error, code: 1 }
    }
    if (options.has('s')) return { error: error + log('remote file exists\n') }
    const path =
      options.value('O') ?? (next.path.split(/[?#]/)[0]?.split('/').at(-1) || 'index.html')
    if (path === '-') return { output: response.body, error }
    state.write(path, response.body, false)
    return { error: error + log(`saving to '${path}'\n'${path}' saved\n`) }
  }
  return { error: `${error}wget: too many redirections\n`, code: 1 }
}
