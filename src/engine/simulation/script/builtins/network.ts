/** Clients of the network, as in busybox, curl and agnhost. */
// cspell:ignore netcat vtuznw
import type { Builtin } from '../command'
import { optionsOf } from '../options'
import { OutsideSubset } from '../words'
import { CONNECT_SECONDS, headOf, networkOf, PLAIN_TO_TLS, secondsIn } from './http-clients'

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
  if (target.result !== 'open' && target.result !== 'api' && protocol === 'TCP') {
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
  if (target.result === 'api' && input !== '') return { output: PLAIN_TO_TLS, error }
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
  if (result === 'open' || result === 'api') return {}
  if (result === 'timeout') state.sleep(secondsIn(limit) ?? CONNECT_SECONDS)
  return { error: result === 'closed' ? 'REFUSED\n' : 'TIMEOUT\n', code: 1 }
}

export const NETWORK_COMMANDS: readonly (readonly [string, Builtin])[] = [['nc', netcat]]
