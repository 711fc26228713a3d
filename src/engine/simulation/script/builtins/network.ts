/** Clients of the network, as in busybox, curl and agnhost. */
// cspell:ignore netcat globoff vtuznw NXDOMAIN
import type { Client, HttpResponse } from '../../network/client'
import type { Builtin, Outcome, ScriptState } from '../command'
import { optionsOf } from '../options'
import { OutsideSubset } from '../words'

/** @throws OutsideSubset where the program cannot reach the simulated network */
function networkOf({ around }: ScriptState, name: string): Client {
  const network = around.network?.()
  if (network === undefined) throw new OutsideSubset(name)
  return network
}

interface Target {
  scheme: string
  host: string
  port: number
  path: string
}

function targetIn(url: string): Target | undefined {
  const found =
    /^(?:(https?):\/\/)?(?:[^/@]*@)?(\[[^\]]+\]|[^/:?#]+)(?::(\d{1,5}))?([/?][^#]*)?/.exec(url)
  if (found === null) return undefined
  const [, scheme = 'http', host = '', port, path = '/'] = found
  return {
    scheme,
    host,
    port: Number(port ?? (scheme === 'https' ? 443 : 80)),
    path: path.startsWith('/') ? path : `/${path}`,
  }
}

type Fetched =
  | { ip: string; response: HttpResponse }
  | { ip?: string; failure: 'name' | 'closed' | 'timeout' }

/** Seconds after which Linux gives up to connect (tcp(7), `tcp_syn_retries`). */
const CONNECT_SECONDS = 127

/** @param limit seconds to connect @throws OutsideSubset if the response is not simulated */
function fetched(
  network: Client,
  target: Target,
  method: string,
  { state, limit = CONNECT_SECONDS }: { state: ScriptState; limit?: number | undefined },
): Fetched {
  if (target.scheme === 'https') throw new OutsideSubset('https')
  const ip = network.addressOf(target.host)
  if (ip === undefined) return { failure: 'name' }
  if (ip === 'timeout') return { failure: 'name' }
  const connection = network.connect(ip, target.port)
  if (connection.result === 'unknown') throw new OutsideSubset('an unknown port')
  if (connection.result === 'timeout') state.sleep(limit)
  if (connection.result !== 'open') return { ip, failure: connection.result }
  const response = network.request(connection, { method, path: target.path })
  if (response === undefined) throw new OutsideSubset('an unknown response')
  return { ip, response }
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [302, 'Found'],
  [307, 'Temporary Redirect'],
  [400, 'Bad Request'],
  [404, 'Not Found'],
  [412, 'Precondition Failed'],
  [500, 'Internal Server Error'],
  [503, 'Service Unavailable'],
])

const MOST_REDIRECTS = 5

const wget: Builtin = (args, state) => {
  const words = args.flatMap((word) =>
    /^--(?:spider|quiet)$/.test(word)
      ? [`-${word === '--spider' ? 's' : 'q'}`]
      : word.startsWith('--timeout=')
        ? ['-T', word.slice(10)]
        : [word],
  )
  const options = optionsOf(words, 'qsO:T:cS')
  const [url = ''] = options.operands
  const target = targetIn(url)
  if (target === undefined) return { error: `wget: bad address '${url}'\n`, code: 1 }
  const network = networkOf(state, 'wget')
  const log = (text: string) => (options.has('q') ? '' : text)
  let error = ''
  let next: Target = target
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const result = fetched(network, next, 'GET', { state, limit: secondsIn(options.value('T')) })
    if ('failure' in result) {
      const { failure, ip } = result
      const texts = {
        name: `wget: bad address '${hostText(next)}'\n`,
        closed: `wget: can't connect to remote host (${ip}): Connection refused\n`,
        timeout: 'wget: download timed out\n',
      }
      return { error: error + texts[failure], code: 1 }
    }
    const { ip, response } = result
    error += log(`Connecting to ${next.host}:${next.port} (${ip}:${next.port})\n`)
    const { location } = response.headers
    if (response.status >= 300 && response.status < 400 && location) {
      next = {
        ...next,
        ...targetIn(new URL(location, `http://${next.host}:${next.port}${next.path}`).href),
      }
      continue
    }
    if (response.status !== 200) {
      const reason = REASONS.get(response.status) ?? ''
      error += `wget: server returned error: HTTP/1.1 ${response.status} ${reason}\n`
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

/** A duration of an option; undefined without one. */
const secondsIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,6}(?:\.\d+)?s?$/.test(text) ? Number.parseFloat(text) : undefined

const hostText = ({ host, port }: Target): string => (port === 80 ? host : `${host}:${port}`)

/** Options of curl without a value, and with one. */
const CURL_FLAGS = new Set([
  '-q',
  '-s',
  '-S',
  '-g',
  '-k',
  '-f',
  '-i',
  '-I',
  '-L',
  '-v',
  '-sS',
  '--silent',
  '--show-error',
  '--fail',
  '--insecure',
  '--globoff',
  '--location',
  '--include',
  '--head',
  '--verbose',
  '-fsS',
  '-sf',
  '-sSf',
  '-sL',
  '-sk',
])
const CURL_VALUES = new Set([
  '-o',
  '--output',
  '-w',
  '--write-out',
  '-X',
  '--request',
  '-H',
  '--header',
  '-m',
  '--max-time',
  '--connect-timeout',
  '--retry',
  '-A',
])

const curl: Builtin = (args, state) => {
  const flags = new Set<string>()
  const values = new Map<string, string>()
  const urls: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (CURL_VALUES.has(word)) values.set(word, args[++at] ?? '')
    else if (CURL_FLAGS.has(word))
      for (const letter of word.startsWith('--') ? [word] : word.slice(1)) flags.add(letter)
    else if (word.startsWith('-')) throw new OutsideSubset(`curl ${word}`)
    else urls.push(word)
  }
  const value = (...names: string[]) =>
    names.map((name) => values.get(name)).find((one) => one !== undefined)
  const has = (...names: string[]) => names.some((name) => flags.has(name))
  const [url = ''] = urls
  const target = targetIn(url)
  if (target === undefined || urls.length > 1) throw new OutsideSubset('curl')
  const method = value('-X', '--request') ?? (has('I', '--head') ? 'HEAD' : 'GET')
  const isSilent = has('s', '--silent') && !has('S', '--show-error')
  const fail = (code: number, text: string): Outcome => ({
    error: isSilent ? '' : `curl: (${code}) ${text}\n`,
    output: written(value('-w', '--write-out'), 0),
    code,
  })
  const network = networkOf(state, 'curl')
  let next: Target = target
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const limit = secondsIn(value('--connect-timeout', '-m', '--max-time'))
    const result = fetched(network, next, method, { state, limit })
    if ('failure' in result) {
      const place = `${next.host} port ${next.port}`
      if (result.failure === 'name') return fail(6, `Could not resolve host: ${next.host}`)
      if (result.failure === 'closed')
        return fail(7, `Failed to connect to ${place} after 0 ms: Couldn't connect to server`)
      const seconds = limit ?? CONNECT_SECONDS
      return fail(
        28,
        `Failed to connect to ${place} after ${seconds * 1000} ms: Timeout was reached`,
      )
    }
    const { response } = result
    const { location } = response.headers
    if (has('L', '--location') && response.status >= 300 && response.status < 400 && location) {
      next = {
        ...next,
        ...targetIn(new URL(location, `http://${next.host}:${next.port}${next.path}`).href),
      }
      continue
    }
    if (has('f', '--fail') && response.status >= 400)
      return fail(22, `The requested URL returned error: ${response.status}`)
    const head = has('i', 'I', '--include', '--head') ? headOf(response) : ''
    const text = head + (has('I', '--head') ? '' : response.body)
    const path = value('-o', '--output')
    if (path !== undefined) state.write(path, text, false)
    return {
      output:
        (path === undefined ? text : '') + written(value('-w', '--write-out'), response.status),
    }
  }
  return fail(47, `Maximum (${MOST_REDIRECTS}) redirects followed`)
}

const headOf = ({ status, headers }: HttpResponse): string =>
  [
    `HTTP/1.1 ${status} ${REASONS.get(status) ?? ''}`,
    ...Object.entries(headers).map(([name, text]) => `${name}: ${text}`),
    '',
    '',
  ].join('\r\n')

const written = (format: string | undefined, status: number): string =>
  (format ?? '')
    .replaceAll('%{http_code}', String(status).padStart(3, '0'))
    .replaceAll('%{response_code}', String(status).padStart(3, '0'))
    .replaceAll('\\n', '\n')

/** `nc`: connects, and sends its input to the program that listens. */
const netcat: Builtin = (args, state) => {
  const options = optionsOf(args, 'vtuznw:i:q:')
  const [host = '', port = ''] = options.operands
  const protocol = options.has('u') ? 'UDP' : 'TCP'
  if (!/^\d{1,5}$/.test(port)) throw new OutsideSubset('nc')
  const network = networkOf(state, 'nc')
  const ip = network.addressOf(host)
  if (ip === undefined || ip === 'timeout') return { error: `nc: bad address '${host}'\n`, code: 1 }
  const target = network.connect(ip, Number(port), protocol)
  if (target.result === 'unknown') throw new OutsideSubset('an unknown port')
  const shown = (text: string) => (options.has('v') ? text : '')
  if (target.result !== 'open' && protocol === 'TCP') {
    if (target.result === 'timeout') state.sleep(secondsIn(options.value('w')) ?? CONNECT_SECONDS)
    const reason = target.result === 'closed' ? 'Connection refused' : 'Operation timed out'
    const kind = protocol.toLowerCase()
    return {
      error: shown(`nc: connect to ${host} port ${port} (${kind}) failed: ${reason}\n`),
      code: 1,
    }
  }
  const name = host === ip ? '' : ` (${ip})`
  const error = shown(
    `Connection to ${host}${name} ${port} port [${protocol.toLowerCase()}/*] succeeded!\n`,
  )
  const input = options.has('z') ? '' : (state.readInput() ?? '')
  if (target.result !== 'open' || input === '') return { error }
  if (protocol === 'UDP') return { output: network.datagram(target, input) ?? '', error }
  const [, method, path] = /^([A-Z]+) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(input) ?? []
  const response =
    method === undefined || path === undefined
      ? {
          status: 400,
          headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
          body: '400 Bad Request',
        }
      : network.request(target, { method, path })
  if (response === undefined) throw new OutsideSubset('an unknown response')
  return { output: headOf(response) + response.body, error }
}

/** Seconds that a resolver waits for servers (resolv.conf(5), `timeout` and `attempts`). */
const NAME_SECONDS = 10

const nslookup: Builtin = (args, state) => {
  const type = args.find((word) => /^-(?:type|query)=/.test(word))?.split('=')[1] ?? 'A'
  const [name = ''] = args.filter((word) => !word.startsWith('-'))
  if (!['A', 'AAAA', 'SRV', 'PTR', 'CNAME'].includes(type.toUpperCase()))
    throw new OutsideSubset('nslookup')
  const wanted = type.toUpperCase() as 'A'
  const network = networkOf(state, 'nslookup')
  const [server = '127.0.0.1'] = network.servers
  const head = `Server:\t\t${server}\nAddress:\t${server}:53\n\n`
  const isReverse = /^\d+\.\d+\.\d+\.\d+$/.test(name)
  const query = isReverse ? `${name.split('.').reverse().join('.')}.in-addr.arpa` : name
  const response = network.lookUp(isReverse ? `${query}.` : query, isReverse ? 'PTR' : wanted)
  if (response === 'timeout') {
    state.sleep(NAME_SECONDS)
    return { error: `;; connection timed out; no servers could be reached\n\n`, code: 1 }
  }
  if (response === undefined)
    return { output: `${head}** server can't find ${query}: NXDOMAIN\n\n`, code: 1 }
  const lines = response.records.map((record) => {
    if (isReverse || wanted === ('PTR' as string))
      return `${query}\tname = ${record.slice(0, -1)}\n`
    if (wanted === ('SRV' as string)) return `${response.name}\tservice = ${record}\n`
    if (record.endsWith('.')) return `${response.name}\tcanonical name = ${record.slice(0, -1)}\n`
    return `Name:\t${response.name}\nAddress: ${record}\n`
  })
  return { output: `${head}${lines.join('')}\n` }
}

/** `agnhost connect`: reports why a connection fails. */
export const connect: Builtin = (args, state) => {
  const words = args.filter((word) => !/^--(?:timeout|protocol)=/.test(word))
  const limit = args.find((word) => word.startsWith('--timeout='))?.slice('--timeout='.length)
  const protocol = args.find((word) => word.startsWith('--protocol='))?.slice('--protocol='.length)
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(words.at(-1) ?? '') ?? []
  if (host === '' || words.length !== 1 || ![undefined, 'tcp', 'udp'].includes(protocol))
    throw new OutsideSubset('connect')
  const network = networkOf(state, 'connect')
  const ip = network.addressOf(host)
  if (ip === undefined || ip === 'timeout')
    return { error: `DNS: lookup ${host}: no such host\n`, code: 1 }
  const { result } = network.connect(ip, Number(port), protocol === 'udp' ? 'UDP' : 'TCP')
  if (result === 'unknown') throw new OutsideSubset('an unknown port')
  if (result === 'open') return {}
  if (result === 'timeout') state.sleep(secondsIn(limit) ?? CONNECT_SECONDS)
  return { error: result === 'closed' ? 'REFUSED\n' : 'TIMEOUT\n', code: 1 }
}

export const NETWORK_COMMANDS: readonly (readonly [string, Builtin])[] = [
  ['wget', wget],
  ['curl', curl],
  ['nc', netcat],
  ['nslookup', nslookup],
]
