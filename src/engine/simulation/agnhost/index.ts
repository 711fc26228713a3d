// cspell:ignore replicaof
/**
 * The subcommands of agnhost that the simulation runs (kubernetes/kubernetes,
 * test/images/agnhost/README.md).
 */

import { networkOf } from '../script/builtins/http-clients'
import { connect } from '../script/builtins/network'
import type { Builtin, Outcome, ScriptState } from '../script/command'
import { dateIn } from '../script/dates'
import { OutsideSubset } from '../script/words'
import { flagIn, flagsOf } from './flags'
import { discoverIssuer } from './issuer-discovery'
import { mounttest } from './mounttest'

type Subcommand = (
  args: readonly string[],
  state: ScriptState,
  argv: readonly string[],
) => ReturnType<Builtin>

const resolverLines = ({ files }: ScriptState, name: string): string[] =>
  (files.read('/etc/resolv.conf') ?? '')
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([first, ...rest]) => (first === name ? rest : []))

const SUBCOMMANDS: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ['mounttest', (args, state) => mounttest(args, state)],
  ['entrypoint-tester', (_, __, argv) => ({ output: `[${argv.join(' ')}]\n` })],
  [
    'pause',
    (_, state) => {
      state.print('Paused\n', false)
      return state.wait()
    },
  ],
  ['dns-suffix', (_, state) => ({ output: `${resolverLines(state, 'search').join(',')}\n` })],
  [
    'dns-server-list',
    (_, state) => ({ output: `${resolverLines(state, 'nameserver').join(',')}\n` }),
  ],
  ['etc-hosts', (_, { files }) => ({ output: `${files.read('/etc/hosts') ?? ''}\n` })],
  ['logs-generator', logsGenerator],
  ['connect', connect],
  ['test-service-account-issuer-discovery', discoverIssuer],
  // Servers run until they are stopped; `network/responses.ts` has their responses.
  ['netexec', (args, state) => listening(state, flagOf(args, '--http-port', 'HTTP server', 8080))],
  ['serve-hostname', (_, state) => state.wait()],
  ['porter', (_, state) => state.wait()],
  ['test-webserver', (_, state) => state.wait()],
  ['nettest', (_, state) => state.wait()],
  ['guestbook', registered],
  ['webhook', (_, state) => state.wait()],
  ['crd-conversion-webhook', (_, state) => state.wait()],
])

/** @param name the program, which may be a copy with another name */
export const agnhost =
  (name: string): Builtin =>
  (args, state) => {
    const [subcommand = '', ...rest] = args
    const run = SUBCOMMANDS.get(subcommand)
    if (run === undefined) throw new OutsideSubset(`agnhost ${subcommand}`)
    return run(rest, state, [name, ...args])
  }

/** A server, with the first line of its log. */
function listening(state: ScriptState, line: string): never {
  state.print(`${dateIn('%Y/%m/%d %H:%M:%S', state)} ${line}\n`, true)
  return state.wait()
}

/** Seconds in which a replica of the guestbook tries to reach the primary. */
const REGISTRATION_SECONDS = 15

/** `guestbook`: a replica registers with the primary, and then serves. */
function registered(args: readonly string[], state: ScriptState): Outcome {
  const primary = flagIn(args, '--replicaof') ?? ''
  if (primary === '') return state.wait()
  const port = Number(flagIn(args, '--backend-port') ?? 6379)
  const network = networkOf(state, 'guestbook')
  const own = /^(\S+)\s.*$/.exec(ownHosts(state))?.[1] ?? ''
  for (const begin = state.time; state.time - begin < REGISTRATION_SECONDS; state.sleep(1)) {
    const ip = network.addressOf(primary)
    const target = ip === undefined || ip === 'timeout' ? undefined : network.connect(ip, port)
    if (target?.result === 'open') {
      network.request(target, { method: 'GET', path: `/register?host=${own}` })
      return listening(state, `Registered to node: ${primary}`)
    }
    const time = dateIn('%Y/%m/%d %H:%M:%S', state)
    state.print(`${time} unable to reach ${primary}:${port}. Retrying in 1s.\n`, true)
  }
  return { error: 'Timed out while registering to primary.\n', code: 1 }
}

/** The line of `/etc/hosts` that names the pod. */
const ownHosts = ({ files, around }: ScriptState): string =>
  (files.read('/etc/hosts') ?? '')
    .split('\n')
    .find((line) => line.split(/\s/).includes(around.hostname)) ?? ''

function flagOf(args: readonly string[], flag: string, what: string, port: number): string {
  const given = args.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1)
  return `Started ${what} on port ${given ?? port}`
}

const METHODS = ['GET', 'POST', 'PUT']
const NAMESPACES = ['kube-system', 'default', 'ns']
const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 0.001],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
])

/** FNV-1a: numbers that look random and are the same in every run. */
const fnv = (text: string): number =>
  [...text].reduce(
    (hash, character) => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0,
    0x811c9dc5,
  )

/** Lines like those of an API server, evenly over a duration. */
function logsGenerator(args: readonly string[], state: ScriptState): ReturnType<Builtin> {
  const long = args.map((word) =>
    word.replace(/^-t(?==|$)/, '--log-lines-total').replace(/^-d(?==|$)/, '--run-duration'),
  )
  const parsed = flagsOf(long, { 'log-lines-total': 0, 'run-duration': '0' })
  if (typeof parsed === 'string') return { error: `Error: ${parsed}\n`, code: 1 }
  const { 'log-lines-total': total, 'run-duration': duration } = parsed.values
  const parts = [...duration.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h)/g)]
  const seconds = parts.reduce(
    (sum, [, n, unit = '']) => sum + Number(n) * (UNITS.get(unit) ?? 0),
    0,
  )
  if (total <= 0) return { error: `Invalid total number of lines: ${total}\n`, code: 255 }
  if (seconds <= 0) return { error: `Invalid duration: ${duration}\n`, code: 255 }
  for (let id = 0; id < total; id++) {
    state.step()
    const random = fnv(`${state.around.hostname} ${id}`)
    const method = METHODS[random % 3]
    const namespace = NAMESPACES[(random >>> 4) % 3]
    const pod = (random >>> 8).toString(36).slice(0, 3)
    const time = dateIn('%m%d %H:%M:%S.000000', state)
    const line = `${id} ${method} /api/v1/namespaces/${namespace}/pods/${pod} ${200 + (random % 400)}`
    state.print(`I${time}       1 logs_generator.go:76] ${line}\n`, true)
    state.sleep(seconds / total)
  }
  return {}
}
